import CGlassesPlugin

/// A transport whose device tells of its battery, temperature, hinges and whether it is worn: by
/// ``TransportHost/reportPower(_:)``, once after it reported the device connected and then on each change.
public protocol PowerPlugin: TransportPlugin {}

/// Everything that a device tells of its condition. What is nil is not known.
public struct PowerReport: Sendable, Hashable {
    /// What the battery does.
    public enum Charging: String, Sendable, Hashable, CaseIterable {
        case charging
        case notCharging
        case full
    }

    /// How hot the device is, coolest first.
    public enum Thermal: String, Sendable, Hashable, CaseIterable {
        case none
        case light
        case moderate
        case severe
        case critical
        case emergency
        case shutdown
    }

    /// Whether the arms are unfolded.
    public enum Hinges: String, Sendable, Hashable, CaseIterable {
        case open
        case closed
    }

    /// Percent, 0 to 100.
    public var battery: Int?
    /// What the battery does.
    public var charging: Charging?
    /// How hot the device is.
    public var thermal: Thermal?
    /// Whether the arms are unfolded.
    public var hinges: Hinges?
    /// Whether somebody wears it.
    public var isWorn: Bool?

    /// A report in which nothing is known.
    public init() {}

    var json: PluginJSON {
        var members: [String: PluginJSON] = [:]
        if let battery { members["battery"] = .number(Double(min(max(battery, 0), 100))) }
        if let charging { members["charging"] = .string(charging.rawValue) }
        if let thermal { members["thermal"] = .string(thermal.rawValue) }
        if let hinges { members["hinges"] = .string(hinges.rawValue) }
        if let isWorn { members["worn"] = .bool(isWorn) }
        return .object(members)
    }
}

/// The host's side of a device's reports.
struct PowerHost: Sendable {
    private let table: glasses_power_host
    private let context: HostContext
    private let gate: CallbackGate

    init(table: glasses_power_host, gate: CallbackGate) {
        self.table = table
        self.gate = gate
        context = HostContext(table.ctx)
    }

    func report(_ power: PowerReport) {
        let text = power.json.text
        gate.pass { table.on_power(context.pointer, text) }
    }
}

extension ExtensionTables {
    static let power = SharedTable(
        glasses_power(
            size: UInt32(MemoryLayout<glasses_power>.size), reserved: 0,
            attach: { instance, table in
                bridged(instance) { (bridge: TransportBridge) throws(PluginFailure) in
                    try bridge.host.power.attach(PowerHost(table: table.pointee, gate: bridge.host.gate))
                }
            }))
}
