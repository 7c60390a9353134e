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
            "state": "usable", "abi": .string(manifest.abi.description),
            "kinds": .array(manifest.kinds.map { .string($0.rawValue) }),
            "vendor": manifest.vendor.map(JSONValue.string) ?? .null, "library": .string(plugin.library),
            "isolation": .string(manifest.isolation.rawValue),
            "capabilities": .array(manifest.capabilities.map(JSONValue.string)),
            "permissions": .array(manifest.permissions.map(JSONValue.string)),
            "environment": .array(manifest.environment.map(JSONValue.string)),
        ]
    }

    private static func json(_ plugin: RefusedPlugin) -> JSONValue {
        [
            "id": plugin.id.map(JSONValue.string) ?? .null,
            "state": plugin.isShadowed ? "shadowed" : "refused", "manifest": .string(plugin.manifestPath),
            "code": .string(plugin.refusal.code), "reason": .string(plugin.refusal.description),
        ]
    }

    /// Prints it in one form or the other.
    func print(on console: Console, isJSON: Bool) {
        if isJSON {
            console.print(json.jsonText)
        } else {
            for line in lines(console) { console.print(line) }
        }
        if let problem = scan.memoryProblem { console.note("glasses: \(problem)") }
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
            lines.append("    " + Self.facts(manifest))
            lines.append(console.styled("    \(plugin.library)", .faint))
        }
        lines += section("Refused", refused, console) + section("Shadowed", shadowed, console)
        return lines
    }

    /// Where it runs, its ABI, and what it asks for.
    private static func facts(_ manifest: PluginManifest) -> String {
        let place = manifest.isolation == .process ? "in a process of its own" : "in the app's process"
        let permissions = manifest.permissions.isEmpty ? "no permissions" : manifest.permissions.joined(separator: ", ")
        return "\(place), ABI \(manifest.abi), \(permissions)"
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
    var isShadowed: Bool { if case .shadowed = refusal { true } else { false } }
}
