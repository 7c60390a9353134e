/// Why grants could not be read, given or taken.
public enum PluginGrantsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file could not be read; `reason` is the system's word for it.
    case unreadable(path: String, reason: String)
    /// The file is not what this runtime writes. Nothing is granted from it, and what was revoked cannot be known.
    case broken(path: String, reason: String)
    /// Another user could have written the file.
    case unsafe(path: String)
    /// The file could not be written.
    case notWritten(path: String, reason: String)
    /// Other processes held the file for too long.
    case busy(path: String)
    /// The library that the grants are bound to could not be read.
    case libraryUnreadable(path: String, reason: String)
    /// The manifest does not ask for it.
    case notAskedFor(String, plugin: String)
    /// The manifest asks for files without saying which.
    case filesWithoutPath(plugin: String)
    /// Only a part of what the plugin has was to be revoked.
    case partOfGrant(String, whole: String)
    /// No plugin gets this variable.
    case withheld(String)

    /// The machine-readable code, stable between versions.
    public var code: String {
        switch self {
        case .unreadable: "grants_unreadable"
        case .broken: "grants_broken"
        case .unsafe: "grants_unsafe"
        case .notWritten: "grants_not_written"
        case .busy: "grants_busy"
        case .libraryUnreadable: "library_unreadable"
        case .notAskedFor: "not_asked_for"
        case .filesWithoutPath: "files_without_path"
        case .partOfGrant: "part_of_grant"
        case .withheld: "variable_withheld"
        }
    }

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason). Mend the file or its permissions."
        case .broken(let path, let reason):
            "\(path), which holds what plugins are granted, is broken: \(reason). Mend it, or remove it and grant again with "
                + "'glasses plugins grant'."
        case .unsafe(let path):
            "\(path) belongs to another user or may be written by others, who could grant rights to plugins. Run: chmod 600 \(path)"
        case .notWritten(let path, let reason):
            "\(path) cannot be written: \(reason). Nothing was changed; make room or mend the folder's permissions."
        case .busy(let path): "\(path) is being changed by another process. Nothing was changed; try again."
        case .libraryUnreadable(let path, let reason):
            "The plugin's library \(path) cannot be read: \(reason). Install the plugin again."
        case .notAskedFor(let what, let plugin):
            "The manifest of \(plugin) does not ask for \(what); 'glasses plugins show \(plugin)' lists what it asks for."
        case .filesWithoutPath(let plugin):
            "\(plugin) asks for files without saying which. Name them: files:read:PATH or files:write:PATH."
        case .partOfGrant(let part, let whole):
            "\(part) is only a part of \(whole), which stays open. Revoke \(whole), and grant what is to be left."
        case .withheld(let name):
            "No plugin gets the variable \(name), which could change the child before it is confined. Leave it out."
        }
    }
}
