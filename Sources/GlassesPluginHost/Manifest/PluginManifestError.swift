/// Why a `plugin.json` was not accepted.
public enum PluginManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file could not be read; `reason` is the system's word for it.
    case unreadable(reason: String)
    /// The file is larger than a manifest may be.
    case tooLarge(limit: Int)
    /// The file is not JSON.
    case notJSON(reason: String)
    /// The file is JSON but no object.
    case notAnObject
    /// A required key is absent or null.
    case missing(key: String)
    /// A key's value has the wrong kind.
    case wrongKind(key: String, wanted: String)
    /// A text is empty, too long or has characters that are not allowed there.
    case invalidText(key: String, rule: String)
    /// The ABI's version is not supported by this host.
    case unsupportedABI(PluginABIVersion)
    /// `kinds` names something that this host does not know.
    case unknownKind(String)
    /// `isolation` is neither `process` nor `inProcess`.
    case unknownIsolation(String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .unreadable: "manifest_unreadable"
        case .tooLarge: "manifest_too_large"
        case .notJSON: "manifest_not_json"
        case .notAnObject: "manifest_not_an_object"
        case .missing: "manifest_key_missing"
        case .wrongKind: "manifest_wrong_kind"
        case .invalidText: "manifest_invalid_text"
        case .unsupportedABI: "abi_unsupported"
        case .unknownKind: "manifest_unknown_kind"
        case .unknownIsolation: "manifest_unknown_isolation"
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .unreadable(let reason): "plugin.json cannot be read: \(reason). Mend the file or its permissions."
        case .tooLarge(let limit): "plugin.json is larger than \(limit) bytes. Shorten it."
        case .notJSON(let reason): "plugin.json is \(reason). Mend the file."
        case .notAnObject: "plugin.json has to hold one JSON object. Mend the file."
        case .missing(let key): "plugin.json lacks the key \"\(key)\". Add it."
        case .wrongKind(let key, let wanted): "In plugin.json the key \"\(key)\" has to be \(wanted)."
        case .invalidText(let key, let rule): "In plugin.json the key \"\(key)\" has to be \(rule)."
        case .unsupportedABI(let version):
            "The plugin needs ABI \(version), this runtime speaks \(PluginABIVersion.host). "
                + (version.major > PluginABIVersion.host.major || version.minor > PluginABIVersion.host.minor
                    ? "Update the runtime." : "Update the plugin.")
        case .unknownKind(let kind):
            "plugin.json names the kind \"\(kind)\"; known are "
                + PluginKind.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .unknownIsolation(let word):
            "plugin.json names the isolation \"\(word)\"; known are process and inProcess."
        }
    }
}
