import GlassesCore
import GlassesPluginHost

/// What a plugin may do and what holds it to that, for people and for scripts.
struct GrantReport: Sendable, Hashable {
    let plugin: FoundPlugin
    let decision: PluginGrantDecision
    let support: SandboxSupport
    /// The file of grants.
    let file: String

    private var statements: [PermissionStatement] {
        PermissionStatement.all(for: decision, isolation: plugin.manifest.isolation, support: support)
    }
    private var variables: [String] { decision.wishes.environment.sorted() }

    /// One JSON object.
    var json: JSONValue {
        [
            "id": .string(plugin.manifest.id), "version": .string(plugin.manifest.version),
            "library": .string(plugin.library), "origin": .string(decision.origin.rawValue),
            "isolation": .string(plugin.manifest.isolation.rawValue),
            "permissions": .array(statements.map(Self.json)),
            "environment": .array(
                variables.map { name in
                    ["name": .string(name), "granted": .bool(decision.grants.environment.contains(name))]
                }),
            "withheld": .array(decision.wishes.withheld.map(JSONValue.string)),
            "unknownPermissions": .array(decision.wishes.unknown.map(JSONValue.string)),
            "grantedToAnotherFile": .bool(decision.isForAnotherFile),
            "machine": [
                "landlockABI": .int(Int64(support.landlockABI)), "seccomp": .bool(support.hasSeccomp),
                "soundServer": support.soundServer.map(JSONValue.string) ?? .null,
            ],
            "file": .string(file),
        ]
    }

    private static func json(_ statement: PermissionStatement) -> JSONValue {
        var members: [String: JSONValue] = [
            "permission": .string(statement.permission.text), "asked": .bool(statement.isAskedFor),
            "granted": .bool(statement.isGranted), "caveat": statement.caveat.map(JSONValue.string) ?? .null,
        ]
        switch statement.enforcement {
        case .enforced(let measures):
            members["enforced"] = true
            members["by"] = .array(measures.map(JSONValue.string))
        case .declaredOnly(let reason):
            members["enforced"] = false
            members["reason"] = .string(reason)
        }
        return .object(members)
    }

    /// The lines for a person.
    func lines(_ console: Console) -> [String] {
        let manifest = plugin.manifest
        var lines = [
            console.styled("\(manifest.id) \(manifest.version)", .bold) + "  \(manifest.name)",
            console.styled("  \(plugin.library)", .faint), "  " + originSentence,
        ]
        if decision.isForAnotherFile {
            lines.append(
                console.styled(
                    "  What was granted to an earlier file of this plugin does not hold for this one; grant it again.",
                    .yellow))
        }
        lines += ["", console.styled("Permissions", .bold)]
        let width = statements.map { $0.permission.text.count }.max() ?? 0
        for statement in statements { lines += Self.lines(statement, width, console) }
        lines += decision.wishes.unknown.map { "  \($0)  is no permission of this runtime and grants nothing" }
        lines += ["", console.styled("Environment", .bold)]
        if variables.isEmpty { lines.append("  asks for no variables") }
        for name in variables {
            lines.append("  \(name)  \(decision.grants.environment.contains(name) ? "granted" : "refused")")
        }
        lines += decision.wishes.withheld.map { "  \($0)  is given to no plugin" }
        return lines + ["", console.styled("  This machine has \(machineText).", .faint)]
    }

    private var originSentence: String {
        switch decision.origin {
        case .shipped: "Came with this program: it has what it asks for, except what was revoked."
        case .thirdParty: "Comes from somebody else: it has nothing but what was granted to this file."
        }
    }

    private var machineText: String {
        let landlock = support.landlockABI > 0 ? "Landlock ABI \(support.landlockABI)" : "no Landlock"
        return "\(landlock) and \(support.hasSeccomp ? "seccomp" : "no seccomp")"
    }

    private static func lines(_ statement: PermissionStatement, _ width: Int, _ console: Console) -> [String] {
        let state = statement.isGranted ? "granted" : statement.isAskedFor ? "refused" : "not asked for"
        let name = statement.permission.text.padded(to: width)
        let column = String(repeating: " ", count: width + 19)
        let caveat = statement.caveat.map { [console.styled("\(column)but \($0)", .faint)] } ?? []
        switch statement.enforcement {
        case .enforced(let measures):
            return ["  \(name)  \(state.padded(to: 13))  enforced by \(measures.joined(separator: ", "))"] + caveat
        case .declaredOnly(let reason):
            return ["  \(name)  \(state.padded(to: 13))  " + console.styled("declared only: \(reason)", .yellow)]
                + caveat
        }
    }
}

extension String {
    /// The text with spaces after it, at least `width` characters.
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
