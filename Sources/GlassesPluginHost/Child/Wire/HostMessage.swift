/// What a child has to open before anything else.
struct PluginOpening: Sendable, Hashable {
    /// The absolute path of the plugin's library.
    var library: String
    /// The factory that makes the instance.
    var kind: PluginKind
    /// The instance's settings, a JSON object.
    var settings: String
    /// What the child may do: the text of a ``SandboxProfile``.
    var profile: String

    /// Rules are a path each, and a build folder has many files.
    static let profileLimit = 1 << 20
}

/// What the host tells a child.
enum HostMessage: Sendable, Hashable {
    /// The first message, once: load the plugin and make its only instance.
    case open(PluginOpening)
    /// A call; answered once by ``ChildMessage/answered(serial:result:)`` with its serial.
    case call(serial: UInt64, PluginCall)
    /// Asks whether the child still runs; answered at once by ``ChildMessage/alive(_:)``.
    case areYouAlive(UInt64)

    /// How many descriptors travel beside it.
    var descriptorCount: Int { if case .call(_, let call) = self { call.descriptorCount } else { 0 } }
}

extension HostMessage {
    private enum Number: UInt8 {
        case open = 1
        case call, areYouAlive
    }

    /// The message's bytes.
    var bytes: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .open(let opening):
            writer.put(Number.open.rawValue)
            writer.put(opening.kind.rawValue)
            writer.put(opening.library)
            writer.put(opening.settings)
            writer.put(opening.profile)
        case .call(let serial, let call):
            writer.put(Number.call.rawValue)
            writer.put(serial)
            call.write(to: &writer)
        case .areYouAlive(let number):
            writer.put(Number.areYouAlive.rawValue)
            writer.put(number)
        }
        return writer.bytes
    }

    /// Reads a message; everything that is not exactly one is an error.
    init(_ bytes: [UInt8]) throws(WireError) {
        var reader = WireReader(bytes)
        let raw = try reader.number(UInt8.self)
        switch Number(rawValue: raw) {
        case .open:
            guard let kind = PluginKind(rawValue: try reader.text("kind")) else { throw .wrongValue(field: "kind") }
            self = .open(
                PluginOpening(
                    library: try reader.text("library"), kind: kind, settings: try reader.text("settings"),
                    profile: try reader.text("profile", limit: PluginOpening.profileLimit)))
        case .call:
            let serial = try reader.number(UInt64.self)
            self = .call(serial: serial, try PluginCall(from: &reader))
        case .areYouAlive: self = .areYouAlive(try reader.number())
        case nil: throw .unknownMessage(raw)
        }
        try reader.end()
    }
}
