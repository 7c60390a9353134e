import CGlassesPlugin

/// A transport whose wearer uses buttons and touch pads: tell each gesture by ``TransportHost/reportInput(_:)`` while connected.
public protocol InputPlugin: TransportPlugin {}

/// One gesture of the wearer.
public struct InputReport: Sendable, Hashable {
    /// What the wearer did.
    public enum Gesture: Sendable, Hashable, CaseIterable {
        case tap
        case doubleTap
        case hold
        case swipeForward
        case swipeBack

        var c: glasses_gesture {
            let value =
                switch self {
                case .tap: GLASSES_GESTURE_TAP
                case .doubleTap: GLASSES_GESTURE_DOUBLE_TAP
                case .hold: GLASSES_GESTURE_HOLD
                case .swipeForward: GLASSES_GESTURE_SWIPE_FORWARD
                case .swipeBack: GLASSES_GESTURE_SWIPE_BACK
                }
            return glasses_gesture(value)
        }
    }

    /// What the wearer did.
    public var gesture: Gesture
    /// CLOCK_MONOTONIC of the gesture in nanoseconds; nil when it is not known.
    public var time: Int64?
    /// Which button or pad; nil when the device does not tell.
    public var control: String?
    /// Whether the plugin concludes the gesture from what it caused. Default false.
    public var isInferred = false

    /// A gesture.
    public init(_ gesture: Gesture, time: Int64? = nil, control: String? = nil) {
        self.gesture = gesture
        self.time = time
        self.control = control
    }

    /// The ABI's detail; nil when there is nothing to tell.
    var detail: PluginJSON? {
        var members: [String: PluginJSON] = [:]
        if let control { members["control"] = .string(control) }
        if isInferred { members["inferred"] = true }
        return members.isEmpty ? nil : .object(members)
    }
}

/// The host's side of a device's gestures.
struct InputHost: Sendable {
    private let table: glasses_input_host
    private let context: HostContext
    private let gate: CallbackGate

    init(table: glasses_input_host, gate: CallbackGate) {
        self.table = table
        self.gate = gate
        context = HostContext(table.ctx)
    }

    func report(_ input: InputReport) {
        let detail = input.detail?.text
        gate.pass { table.on_input(context.pointer, input.gesture.c, input.time ?? 0, detail) }
    }
}

extension ExtensionTables {
    static let input = SharedTable(
        glasses_input(
            size: UInt32(MemoryLayout<glasses_input>.size), reserved: 0,
            attach: { instance, table in
                bridged(instance) { (bridge: TransportBridge) throws(PluginFailure) in
                    try bridge.host.input.attach(InputHost(table: table.pointee, gate: bridge.host.gate))
                }
            }))
}
