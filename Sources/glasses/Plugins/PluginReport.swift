import GlassesCore
import GlassesPluginHost

/// The result of a scan, for people and for scripts.
struct PluginReport: Sendable, Hashable {
    /// What was found and refused.
    let scan: PluginScan
    /// Where it was looked for.
    let searchPath: [String]

    private var shadowed: [RefusedPlugin] { scan.refused.filter(\.isShadowed) }
    private var refused: [RefusedPlugin] { scan.refused.filter { !$0.isShadowed } }

    /// One JSON object.
    var json: JSONValue {
        [
            "found": .array(scan.found.map(Self.json)), "refused": .array(refused.map(Self.json)),
            "shadowed": .array(shadowed.map(Self.json)), "searchPath": .array(searchPath.map(JSONValue.string)),
        ]
    }

    private static func json(_ plugin: FoundPlugin) -> JSONValue {
        let manifest = plugin.manifest
        return [
            "id": .string(manifest.id), "name": .string(manifest.name), "version": .string(manifest.version),
            "abi": .string(manifest.abi.description), "kinds": .array(manifest.kinds.map { .string($0.rawValue) }),
            "vendor": manifest.vendor.map(JSONValue.string) ?? .null, "library": .string(plugin.library),
        ]
    }

    private static func json(_ plugin: RefusedPlugin) -> JSONValue {
        [
            "id": plugin.id.map(JSONValue.string) ?? .null, "manifest": .string(plugin.manifestPath),
            "code": .string(plugin.refusal.code), "reason": .string(plugin.refusal.description),
        ]
    }

    /// The lines for a person.
    func lines(_ console: Console) -> [String] {
        var lines = [console.styled("Plugins", .bold)]
        if scan.found.isEmpty {
            lines.append("  none; 'swift build' makes those of this repository")
        }
        for plugin in scan.found {
            let manifest = plugin.manifest
            let kinds = manifest.kinds.map(\.rawValue).joined(separator: ", ")
            lines.append("  \(manifest.id) \(manifest.version)  \(manifest.name) (\(kinds))")
            lines.append(console.styled("    \(plugin.library)", .faint))
        }
        lines += section("Refused", refused, console) + section("Shadowed", shadowed, console)
        return lines
    }

    private func section(_ title: String, _ plugins: [RefusedPlugin], _ console: Console) -> [String] {
        guard !plugins.isEmpty else { return [] }
        let entries = plugins.flatMap { plugin in
            ["  \(plugin.id ?? plugin.manifestPath)  \(plugin.refusal.description)"]
                + (plugin.id == nil ? [] : [console.styled("    \(plugin.manifestPath)", .faint)])
        }
        return ["", console.styled(title, .bold)] + entries
    }
}

extension RefusedPlugin {
    /// Whether it is only hidden by another one with the same id.
    fileprivate var isShadowed: Bool { if case .shadowed = refusal { true } else { false } }
}
