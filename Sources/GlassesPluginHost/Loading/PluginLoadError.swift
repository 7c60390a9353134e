/// Why a library could not become a plugin of this process.
public enum PluginLoadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The dynamic linker refused the file, with its own words.
    case notLoadable(reason: String)
    /// The library does not export `glasses_plugin_entry`.
    case entryMissing
    /// The entry function answered null or a struct of another kind.
    case entryInvalid
    /// The library was built for another ABI.
    case unsupportedABI(PluginABIVersion)
    /// The plugin refused to be activated.
    case activationRefused(result: Int32)
    /// The plugin's activation, or another of its calls, did not return in time.
    case hung(function: String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .notLoadable: "not_loadable"
        case .entryMissing: "entry_missing"
        case .entryInvalid: "entry_invalid"
        case .unsupportedABI: "abi_unsupported"
        case .activationRefused: "activation_refused"
        case .hung: "plugin_timeout"
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .notLoadable(let reason): "The plugin's library cannot be loaded: \(reason). Install it again."
        case .entryMissing: "The library is no plugin: it does not export glasses_plugin_entry. Remove it."
        case .entryInvalid: "The library's glasses_plugin_entry answers no valid entry. Update the plugin."
        case .unsupportedABI(let version):
            "The library was built for ABI \(version), this runtime speaks \(PluginABIVersion.host). "
                + "Install versions that fit each other."
        case .activationRefused(let result):
            "The plugin refused to start (result \(result)); its log says why. Check what it needs."
        case .hung(let function): "The plugin did not return from \(function) in time. Update it or remove it."
        }
    }
}
