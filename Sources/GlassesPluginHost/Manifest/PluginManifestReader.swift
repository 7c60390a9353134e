import GlassesDomain

/// Reads `plugin.json`: strict in what it needs, deaf to what it does not know.
struct PluginManifestReader {
    /// Ten times the longest manifest that we could think of; a larger file is a mistake or an attack.
    static let sizeLimit = 65_536
    /// Long enough for any name, short enough for every line of a list.
    static let textLimit = 128

    private static let knownKeys: Set<String> = [
        "id", "name", "version", "abi", "kinds", "library", "vendor", "capabilities", "models", "permissions",
        "environment", "isolation", "sha256",
    ]

    private let members: [String: JSONValue]

    /// The manifest in `bytes`. `needsLibrary` is true for an installed plugin's folder.
    static func read(_ bytes: [UInt8], needsLibrary: Bool) throws(PluginManifestError) -> PluginManifest {
        guard bytes.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
        let value: JSONValue
        do {
            value = try JSONValue(jsonText: bytes)
        } catch {
            throw .notJSON(reason: error.description)
        }
        guard case .object(let members) = value else { throw .notAnObject }
        return try PluginManifestReader(members: members).manifest(needsLibrary: needsLibrary)
    }

    private func manifest(needsLibrary: Bool) throws(PluginManifestError) -> PluginManifest {
        var manifest = PluginManifest(
            id: try identifier("id"), name: try requiredText("name"), version: try requiredText("version"),
            abi: try abi(), kinds: try kinds())
        manifest.library = try library(isRequired: needsLibrary)
        manifest.vendor = try text("vendor")
        manifest.capabilities = try texts("capabilities")
        manifest.models = try texts("models")
        manifest.permissions = try texts("permissions")
        manifest.environment = try texts("environment")
        manifest.isolation = try isolation()
        manifest.sha256 = try digest()
        manifest.unknown = members.filter { !Self.knownKeys.contains($0.key) }
        return manifest
    }

    private func identifier(_ key: String) throws(PluginManifestError) -> String {
        let id = try requiredText(key)
        let allowed = id.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
        }
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard allowed, parts.count >= 2, parts.allSatisfy({ !$0.isEmpty }) else {
            throw .invalidText(key: key, rule: "a reverse DNS name of lower-case letters, digits, - and .")
        }
        return id
    }

    private func abi() throws(PluginManifestError) -> PluginABIVersion {
        let parts = try requiredText("abi").split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy(\.isASCII) ? UInt16(part).map(Int.init) : nil }
        guard parts.count == 2, numbers.count == 2, !parts.contains(where: { $0.hasPrefix("+") }) else {
            throw .invalidText(key: "abi", rule: "two numbers such as \(PluginABIVersion.host)")
        }
        let version = PluginABIVersion(major: numbers[0], minor: numbers[1])
        guard version.isSupported else { throw .unsupportedABI(version) }
        return version
    }

    private func kinds() throws(PluginManifestError) -> [PluginKind] {
        guard members["kinds"]?.isNull == false else { throw .missing(key: "kinds") }
        var kinds: [PluginKind] = []
        for word in try texts("kinds") {
            guard let kind = PluginKind(rawValue: word) else { throw .unknownKind(word) }
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        guard !kinds.isEmpty else { throw .invalidText(key: "kinds", rule: "a list with at least one kind") }
        return kinds
    }

    private func library(isRequired: Bool) throws(PluginManifestError) -> String? {
        guard let name = try text("library") else {
            if isRequired { throw .missing(key: "library") }
            return nil
        }
        guard !name.contains("/"), name != ".", name != ".." else {
            throw .invalidText(key: "library", rule: "a file name in the plugin's own folder, without /")
        }
        return name
    }

    private func isolation() throws(PluginManifestError) -> PluginIsolation {
        guard let word = try text("isolation") else { return .process }
        guard let isolation = PluginIsolation(rawValue: word) else { throw .unknownIsolation(word) }
        return isolation
    }

    private func digest() throws(PluginManifestError) -> String? {
        guard let text = try text("sha256")?.lowercased() else { return nil }
        let isHexadecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 64, isHexadecimal else {
            throw .invalidText(key: "sha256", rule: "64 hexadecimal digits")
        }
        return text
    }

    private func requiredText(_ key: String) throws(PluginManifestError) -> String {
        guard let text = try text(key) else { throw .missing(key: key) }
        return text
    }

    private func text(_ key: String) throws(PluginManifestError) -> String? {
        guard let value = members[key], !value.isNull else { return nil }
        guard let text = value.stringValue else { throw .wrongKind(key: key, wanted: "a text") }
        try check(text, key)
        return text
    }

    private func texts(_ key: String) throws(PluginManifestError) -> [String] {
        guard let value = members[key], !value.isNull else { return [] }
        guard let values = value.arrayValue else { throw .wrongKind(key: key, wanted: "a list of texts") }
        var texts: [String] = []
        for value in values {
            guard let text = value.stringValue else { throw .wrongKind(key: key, wanted: "a list of texts") }
            try check(text, key)
            texts.append(text)
        }
        return texts
    }

    private func check(_ text: String, _ key: String) throws(PluginManifestError) {
        let hasControl = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard !text.isEmpty, text.utf8.count <= Self.textLimit, !hasControl else {
            throw .invalidText(key: key, rule: "1 to \(Self.textLimit) bytes without control characters")
        }
    }
}
