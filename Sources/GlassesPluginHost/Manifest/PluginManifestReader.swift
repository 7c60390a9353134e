import GlassesDomain

/// Reads `plugin.json`: strict in what it needs, deaf to what it does not know.
struct PluginManifestReader {
    /// Ten times the longest manifest that we could think of; a larger file is a mistake or an attack.
    static let sizeLimit = 65_536
    /// Long enough for any name, short enough for every line of a list.
    static let textLimit = 128

    /// Every key that has a meaning.
    static let knownKeys: Set<String> = [
        "id", "name", "version", "abi", "kinds", "library", "vendor", "capabilities", "models", "permissions",
        "environment", "isolation", "sha256",
    ]

    /// Keys that are read from ``PluginManifest/unknown`` by those whom they concern; see ``PluginManifest/rank``.
    static let optionalKeys: Set<String> = ["rank"]

    private let members: [String: JSONValue]
    /// Every rule that was broken so far, in the order of the manifest's keys as the documentation lists them.
    private(set) var errors: [PluginManifestError] = []

    init(members: [String: JSONValue]) { self.members = members }

    /// The manifest in `bytes`. `needsLibrary` is true for an installed plugin's folder.
    static func read(_ bytes: [UInt8], needsLibrary: Bool) throws(PluginManifestError) -> PluginManifest {
        guard case .object(let members) = try parse(bytes) else { throw .notAnObject }
        var reader = PluginManifestReader(members: members)
        let manifest = reader.manifest(needsLibrary: needsLibrary)
        if let first = reader.errors.first { throw first }
        return manifest
    }

    /// The JSON value in `bytes`.
    static func parse(_ bytes: [UInt8]) throws(PluginManifestError) -> JSONValue {
        guard bytes.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
        do {
            return try JSONValue(jsonText: bytes)
        } catch {
            throw .notJSON(reason: error.description)
        }
    }

    /// The manifest as far as its members keep the rules; with ``errors`` it is of no use.
    mutating func manifest(needsLibrary: Bool) -> PluginManifest {
        var manifest = PluginManifest(
            id: collect("") { reader throws(PluginManifestError) in try reader.identifier("id") },
            name: collect("") { reader throws(PluginManifestError) in try reader.requiredText("name") },
            version: collect("") { reader throws(PluginManifestError) in try reader.requiredText("version") },
            abi: collect(.host) { reader throws(PluginManifestError) in try reader.abi() },
            kinds: collect([]) { reader throws(PluginManifestError) in try reader.kinds() })
        manifest.library = collect(nil) { reader throws(PluginManifestError) in
            try reader.library(isRequired: needsLibrary)
        }
        manifest.vendor = collect(nil) { reader throws(PluginManifestError) in try reader.text("vendor") }
        manifest.capabilities = collectTexts("capabilities")
        manifest.models = collectTexts("models")
        manifest.permissions = collectTexts("permissions")
        manifest.environment = collectTexts("environment")
        manifest.isolation = collect(.process) { reader throws(PluginManifestError) in try reader.isolation() }
        manifest.sha256 = collect(nil) { reader throws(PluginManifestError) in try reader.digest() }
        manifest.unknown = members.filter { !Self.knownKeys.contains($0.key) }
        return manifest
    }

    /// The JSON pointer of what an error is about.
    func pointer(of error: PluginManifestError) -> String {
        switch error {
        case .unreadable, .tooLarge, .notJSON, .notAnObject, .missing: ""
        case .wrongKind(let key, _), .invalidText(let key, _): JSONTextMap.pointer(key) + wrongElement(of: key)
        case .unsupportedABI: "/abi"
        case .unknownKind(let kind):
            "/kinds" + (members["kinds"]?.arrayValue?.firstIndex(of: .string(kind)).map { "/\($0)" } ?? "")
        case .unknownIsolation: "/isolation"
        }
    }

    /// The place of the first element of a list that breaks the rule of texts; empty for anything else.
    private func wrongElement(of key: String) -> String {
        let index = members[key]?.arrayValue?.firstIndex { value in
            guard let text = value.stringValue else { return true }
            return !Self.isText(text)
        }
        return index.map { "/\($0)" } ?? ""
    }

    private mutating func collect<T>(
        _ otherwise: T, _ read: (PluginManifestReader) throws(PluginManifestError) -> T
    ) -> T {
        do {
            return try read(self)
        } catch {
            errors.append(error)
            return otherwise
        }
    }

    private mutating func collectTexts(_ key: String) -> [String] {
        collect([]) { reader throws(PluginManifestError) in try reader.texts(key) }
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
        guard Self.isText(text) else {
            throw .invalidText(key: key, rule: "1 to \(Self.textLimit) bytes without control characters")
        }
    }

    private static func isText(_ text: String) -> Bool {
        let hasControl = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        return !text.isEmpty && text.utf8.count <= textLimit && !hasControl
    }
}
