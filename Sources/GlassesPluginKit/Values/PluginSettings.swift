/// The settings that an app gave for one instance: a JSON object whose keys the plugin documents.
///
/// Unknown keys are ignored; an absent key and `null` give nil; a value of the wrong kind throws `INVALID`.
public struct PluginSettings: Sendable, Hashable {
    /// Every member of the object.
    public let members: [String: PluginJSON]

    /// Settings with the given members.
    public init(members: [String: PluginJSON] = [:]) { self.members = members }

    /// Reads the ABI's text; throws `INVALID` unless it is a JSON object. Empty text counts as `{}`.
    public init(text: String) throws(PluginFailure) {
        guard !text.isEmpty else {
            members = [:]
            return
        }
        guard case .object(let members) = try PluginJSON(text: text) else {
            throw .invalid("invalid_settings", "The plugin's settings have to be a JSON object.")
        }
        self.members = members
    }

    /// The text at `key`.
    public func string(_ key: String) throws(PluginFailure) -> String? {
        guard let value = present(key) else { return nil }
        guard case .string(let text) = value else { throw wrongKind(key, "a text") }
        return text
    }

    /// The Boolean at `key`.
    public func bool(_ key: String) throws(PluginFailure) -> Bool? {
        guard let value = present(key) else { return nil }
        guard case .bool(let flag) = value else { throw wrongKind(key, "true or false") }
        return flag
    }

    /// The number at `key`.
    public func double(_ key: String) throws(PluginFailure) -> Double? {
        guard let value = present(key) else { return nil }
        guard case .number(let number) = value else { throw wrongKind(key, "a number") }
        return number
    }

    /// The whole number at `key`.
    public func int(_ key: String) throws(PluginFailure) -> Int? {
        guard let number = try double(key) else { return nil }
        guard let whole = Int(exactly: number) else { throw wrongKind(key, "a whole number") }
        return whole
    }

    private func present(_ key: String) -> PluginJSON? {
        guard let value = members[key], value != .null else { return nil }
        return value
    }

    private func wrongKind(_ key: String, _ wanted: String) -> PluginFailure {
        .invalid("invalid_settings", "The setting \(key) has to be \(wanted).")
    }
}
