import GlassesDomain

/// The manifest of a packed plugin as text: every member of the original, with the library's name and digest, in one order.
struct PackedManifest {
    private let members: [String: JSONValue]

    /// The keys as the documentation lists them; others follow in alphabetical order.
    private static let order = [
        "id", "name", "version", "abi", "kinds", "library", "sha256", "vendor", "capabilities", "models", "permissions",
        "environment", "isolation",
    ]

    /// Reads a manifest that was checked before.
    init(_ bytes: [UInt8]) throws(PluginPackError) {
        do {
            members = try JSONValue(jsonText: bytes).objectValue ?? [:]
        } catch {
            throw .library(error.description)
        }
    }

    /// The text, one member a line.
    func text(library: String, sha256: String) -> String {
        var all = members
        all["library"] = .string(library)
        all["sha256"] = .string(sha256)
        let known = Self.order.filter { all[$0] != nil }
        let keys = known + all.keys.filter { !Self.order.contains($0) }.sorted()
        let lines = keys.map { key in "    \(JSONValue.string(key).jsonText): \((all[key] ?? .null).jsonText)" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }
}
