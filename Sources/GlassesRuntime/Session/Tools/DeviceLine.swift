import GlassesDomain
import Synchronization

/// The user's device in one line for a model: JSON without spaces whose members always stand in the same order, so that equal states are
/// equal texts.
struct DeviceLine: Sendable {
    /// The transport that was loaded; nil before the first connect.
    var facts: TransportFacts?
    /// Whether the device is connected.
    var isConnected: Bool

    /// The line, such as `{"vendor":"acme","device":"Glasses 2","camera":true,…}`.
    var text: String {
        let capabilities = facts?.capabilities
        let members: [(String, JSONValue)] = [
            ("vendor", facts.map { .string($0.device.vendor) } ?? .null),
            ("device", facts.map { .string($0.device.modelName) } ?? .null),
            ("camera", .bool(capabilities?.camera ?? false)), ("microphone", .bool(capabilities?.microphone ?? false)),
            ("speaker", .bool(capabilities?.speaker ?? false)), ("display", .bool(capabilities?.display ?? false)),
            // What the display shows: nothing, as long as there is no display client.
            ("shown", .bool(false)), ("kind", .null), ("connected", .bool(isConnected)),
        ]
        return "{" + members.map { "\(JSONValue.string($0.0).jsonText):\($0.1.jsonText)" }.joined(separator: ",") + "}"
    }
}

/// The device as it is now, told by the connection and read when a model is told of it.
final class KnownDevice: Sendable {
    private let line = Mutex(DeviceLine(facts: nil, isConnected: false))

    /// The present line.
    var text: String { line.withLock { $0 }.text }

    /// A transport was loaded.
    func loaded(_ facts: TransportFacts) { line.withLock { $0.facts = facts } }

    /// The device came or went.
    func setConnected(_ isConnected: Bool) { line.withLock { $0.isConnected = isConnected } }
}
