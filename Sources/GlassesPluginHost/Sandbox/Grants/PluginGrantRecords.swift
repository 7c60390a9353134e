import GlassesDomain

/// The content of the file of grants.
struct PluginGrantRecords: Sendable, Hashable {
    private static let version: Int64 = 1

    /// The records by the plugins' ids.
    var plugins: [String: PluginGrantRecord] = [:]

    init() {}

    /// Reads what ``text`` wrote; throws the reason why it is something else. Nothing is passed over: half a list of what was revoked
    /// would grant the rest.
    init(_ bytes: [UInt8]) throws(GrantsTextError) {
        let value: JSONValue
        do { value = try JSONValue(jsonText: bytes) } catch { throw GrantsTextError(reason: error.description) }
        guard case .object(let members) = value, case .object(let records)? = members["plugins"] else {
            throw GrantsTextError(reason: "it has no object \"plugins\"")
        }
        guard members["version"]?.intValue == Self.version else {
            throw GrantsTextError(reason: "its version is not \(Self.version)")
        }
        for (id, record) in records { plugins[id] = try Self.record(record, id) }
    }

    private static func record(_ value: JSONValue, _ id: String) throws(GrantsTextError) -> PluginGrantRecord {
        guard case .object(let members) = value else { throw GrantsTextError(reason: "\(id) is no object") }
        var record = PluginGrantRecord()
        if let digest = members["sha256"] {
            guard let text = digest.stringValue else { throw GrantsTextError(reason: "the sha256 of \(id) is no text") }
            record.library = text
        }
        record.permissions = try permissions("permissions", members, id)
        record.environment = try texts("environment", members, id)
        record.revokedPermissions = try permissions("revokedPermissions", members, id)
        record.revokedEnvironment = try texts("revokedEnvironment", members, id)
        return record
    }

    private static func texts(
        _ key: String, _ members: [String: JSONValue], _ id: String
    ) throws(GrantsTextError) -> Set<String> {
        guard let value = members[key] else { return [] }
        guard let values = value.arrayValue else { throw GrantsTextError(reason: "\(key) of \(id) is no list") }
        let texts = values.compactMap(\.stringValue)
        guard texts.count == values.count else {
            throw GrantsTextError(reason: "\(key) of \(id) has something else than texts")
        }
        return Set(texts)
    }

    private static func permissions(
        _ key: String, _ members: [String: JSONValue], _ id: String
    ) throws(GrantsTextError) -> Set<SandboxPermission> {
        var permissions: Set<SandboxPermission> = []
        for text in try texts(key, members, id) {
            do {
                permissions.insert(try SandboxPermission(text))
            } catch {
                throw GrantsTextError(reason: "\(key) of \(id) has an unknown permission")
            }
        }
        return permissions
    }

    /// The file's text: readable, since a person may want to look.
    var text: String {
        let records = plugins.filter { !$0.value.isEmpty }.mapValues(Self.value)
        return JSONValue.object(["version": .int(Self.version), "plugins": .object(records)]).jsonText + "\n"
    }

    private static func value(_ record: PluginGrantRecord) -> JSONValue {
        var members: [String: JSONValue] = [:]
        members["sha256"] = record.library.map(JSONValue.string)
        for (key, texts) in [
            ("permissions", record.permissions.map(\.text)), ("environment", Array(record.environment)),
            ("revokedPermissions", record.revokedPermissions.map(\.text)),
            ("revokedEnvironment", Array(record.revokedEnvironment)),
        ] where !texts.isEmpty {
            members[key] = .array(texts.sorted().map(JSONValue.string))
        }
        return .object(members)
    }
}

/// Why a text is no list of grants.
struct GrantsTextError: Error, Sendable, Hashable {
    let reason: String
}
