import GlassesDomain

/// Names one state of one library file; a replaced or touched file is another one.
struct ProbeKey: Sendable, Hashable {
    var path: String
    var size: Int64
    var modifiedNanoseconds: Int64

    init(path: String, file: PluginFile) {
        self.path = path
        size = file.size
        modifiedNanoseconds = file.modifiedNanoseconds
    }
}

/// What is remembered of a probe.
enum ProbeVerdict: Sendable, Hashable {
    case good(factories: [String])
    case bad(code: String, message: String)
}

/// The remembered verdicts as text: one JSON object, of which anything unexpected is left out.
struct ProbeVerdicts: Sendable, Hashable {
    /// Far more libraries than a machine has plugins; the newest stay.
    static let limit = 512
    /// Verdicts of another host version are not trusted.
    private static let version = "\(PluginABIVersion.host)/1"

    private(set) var entries: [ProbeKey: ProbeVerdict] = [:]
    private var order: [ProbeKey] = []

    /// The verdict for a file in exactly this state.
    subscript(key: ProbeKey) -> ProbeVerdict? { entries[key] }

    /// Adds a verdict; earlier ones for the same path are forgotten.
    mutating func add(_ verdict: ProbeVerdict, for key: ProbeKey) {
        for old in order where old.path == key.path { entries[old] = nil }
        order.removeAll { $0.path == key.path }
        entries[key] = verdict
        order.append(key)
        while order.count > Self.limit { entries[order.removeFirst()] = nil }
    }

    /// Adds every verdict of `other`.
    mutating func merge(_ other: ProbeVerdicts) {
        for key in other.order { if let verdict = other.entries[key] { add(verdict, for: key) } }
    }

    init() {}

    /// The verdicts in a text; none for a text of another version, or that is not one.
    init(text: [UInt8]) {
        let value: JSONValue
        do { value = try JSONValue(jsonText: text) } catch { return }
        guard value["version"]?.stringValue == Self.version, let list = value["verdicts"]?.arrayValue else { return }
        for entry in list.prefix(Self.limit) {
            guard let path = entry["path"]?.stringValue, let size = entry["size"]?.intValue,
                let modified = entry["mtime"]?.intValue
            else { continue }
            let key = ProbeKey(path: path, size: size, modifiedNanoseconds: modified)
            if let factories = entry["factories"]?.arrayValue {
                add(.good(factories: factories.compactMap(\.stringValue)), for: key)
            } else if let code = entry["code"]?.stringValue, let message = entry["message"]?.stringValue {
                add(.bad(code: code, message: message), for: key)
            }
        }
    }

    /// The text for the next start.
    var text: String {
        let list = order.compactMap { key in entries[key].map { Self.entry(key, $0) } }
        return JSONValue.object(["version": .string(Self.version), "verdicts": .array(list)]).jsonText
    }

    private static func entry(_ key: ProbeKey, _ verdict: ProbeVerdict) -> JSONValue {
        var members: [String: JSONValue] = [
            "path": .string(key.path), "size": .int(key.size), "mtime": .int(key.modifiedNanoseconds),
        ]
        switch verdict {
        case .good(let factories): members["factories"] = .array(factories.map(JSONValue.string))
        case .bad(let code, let message):
            members["code"] = .string(code)
            members["message"] = .string(message)
        }
        return .object(members)
    }
}

extension ProbeKey {
    init(path: String, size: Int64, modifiedNanoseconds: Int64) {
        self.path = path
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}
