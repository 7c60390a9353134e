import GlassesAssistant
import GlassesDomain
import Synchronization

/// The user's device in one line for a model: JSON without spaces whose members always stand in the same order, so that equal states are
/// equal texts. What is not known has no member: what the display shows has none, as long as no client of the runtime shows anything.
struct DeviceLine: Sendable {
    /// The transport that was loaded; nil before the first connect.
    var facts: TransportFacts?
    /// Whether the device is connected.
    var isConnected: Bool
    /// What the device has and the user has switched off.
    var off: [String] = []
    /// The battery of the device, in percent.
    var battery: Int?
    /// Whether it is being charged.
    var isCharging: Bool?

    /// The line, such as `{"vendor":"acme","device":"Glasses 2","camera":true,…}`.
    var text: String { text(battery: battery) }

    /// The line with a number for what in it is worth telling a model again: of the battery its tens.
    var description: DeviceDescription {
        DeviceDescription(text: text, fingerprint: Self.hash(text(battery: battery.map { $0 / 10 * 10 })))
    }

    private func text(battery: Int?) -> String {
        let capabilities = facts?.capabilities
        var members: [(String, JSONValue)] = [
            ("vendor", facts.map { .string($0.device.vendor) } ?? .null),
            ("device", facts.map { .string($0.device.modelName) } ?? .null),
            ("camera", .bool(capabilities?.camera ?? false)), ("microphone", .bool(capabilities?.microphone ?? false)),
            ("speaker", .bool(capabilities?.speaker ?? false)), ("display", .bool(capabilities?.display ?? false)),
            ("connected", .bool(isConnected)),
        ]
        if !off.isEmpty { members.append(("off", .array(off.map(JSONValue.string)))) }
        if let battery { members.append(("battery", .int(Int64(battery)))) }
        if let isCharging { members.append(("charging", .bool(isCharging))) }
        return "{" + members.map { "\(JSONValue.string($0.0).jsonText):\($0.1.jsonText)" }.joined(separator: ",") + "}"
    }

    /// FNV-1a.
    private static func hash(_ text: String) -> Int64 {
        Int64(bitPattern: text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }
}

/// The device as it is now: told by the connection, the device and the user's toggles, and read when a model is told of it.
final class KnownDevice: Sendable {
    private struct Storage {
        var line = DeviceLine(facts: nil, isConnected: false)
        weak var listener: AssistantDriver?
    }

    private let storage = Mutex(Storage())

    /// The present device.
    var description: DeviceDescription { storage.withLock { $0.line }.description }

    /// Whom changes are told; one that is worth nothing to a model is not.
    func follow(by listener: AssistantDriver) { storage.withLock { $0.listener = listener } }

    /// A transport was loaded.
    func loaded(_ facts: TransportFacts) { change { $0.facts = facts } }

    /// The device came or went. What it said of its battery is old then.
    func setConnected(_ isConnected: Bool) {
        change {
            $0.isConnected = isConnected
            if !isConnected { ($0.battery, $0.isCharging) = (nil, nil) }
        }
    }

    /// The user's toggles changed.
    func toggled(_ toggles: Toggles) {
        change { line in
            line.off = []
            if CameraGate(toggles) != .open { line.off.append("camera") }
            if MicrophoneGate(toggles) != .open { line.off.append("microphone") }
        }
    }

    /// The device told of its condition.
    func powered(_ power: DevicePower) {
        change { ($0.battery, $0.isCharging) = (power.battery, power.charging.map { $0 == .charging }) }
    }

    private func change(_ body: (inout DeviceLine) -> Void) {
        let listener = storage.withLock { storage -> AssistantDriver? in
            let before = storage.line.description.fingerprint
            body(&storage.line)
            return storage.line.description.fingerprint == before ? nil : storage.listener
        }
        listener?.deviceChanged()
    }
}
