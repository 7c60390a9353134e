import Dispatch
import Synchronization

/// A pair of glasses: a live handle, whose values change as the glasses report them.
///
/// It stays valid when the glasses are unpaired; then it is disconnected. Any thread.
public final class Device: Sendable {
    /// Names the glasses for as long as they are paired.
    public let identifier: DeviceIdentifier
    /// What their owner calls them; may be empty.
    public let name: String

    private let record: Mutex<LinkDevice>
    private let states: ListenerStore<DeviceState>
    private let linkStates: ListenerStore<LinkState>
    private let compatibilities: ListenerStore<Compatibility>
    private let stateStreams: StateStreams<DeviceState>

    init(_ device: LinkDevice, on queue: DispatchQueue, rule: TokenRule) {
        identifier = device.identifier
        name = device.name
        record = Mutex(device)
        states = ListenerStore("Device.addDeviceStateListener", on: queue, rule: rule)
        linkStates = ListenerStore("Device.addLinkStateListener", on: queue, rule: rule)
        compatibilities = ListenerStore("Device.addCompatibilityListener", on: queue, rule: rule)
        stateStreams = StateStreams(of: device.state)
    }

    /// The name, or the identifier when the name is empty.
    public func nameOrId() -> String { name.isEmpty ? identifier : name }

    /// The model.
    public func deviceType() -> DeviceType { record.withLock { $0.type } }

    /// Whether the glasses can be reached.
    public var linkState: LinkState { state.linkState }

    /// Whether the glasses' software fits; it settles after the link is connected. A session is refused by the same value.
    public func compatibility() -> Compatibility { state.compatibility }

    /// Whether the model has a display.
    public func supportsDisplay() -> Bool { deviceType().supportsDisplay }

    /// Percent, 0 to 100; nil before the first report.
    public var batteryLevel: Int? { state.batteryLevel }

    /// What the battery does.
    public var chargingState: ChargingState { state.chargingState }

    /// Whether the glasses are worn.
    public var donState: DonState { state.donState }

    /// Whether their arms are unfolded.
    public var hingeState: HingeState { state.hingeState }

    /// How hot they are.
    public var thermalLevel: ThermalLevel { state.thermalLevel }

    /// Adds a listener of the link. The current value is not told.
    public func addLinkStateListener(_ listener: @escaping @Sendable (LinkState) -> Void) -> any AnyListenerToken {
        linkStates.listen(listener)
    }

    /// Adds a listener of the compatibility. The current value is not told.
    public func addCompatibilityListener(
        _ listener: @escaping @Sendable (Compatibility) -> Void
    ) -> any AnyListenerToken { compatibilities.listen(listener) }

    /// Adds a listener of everything that the glasses report. It is told the current values first.
    public func addDeviceStateListener(_ listener: @escaping @Sendable (DeviceState) -> Void) -> any AnyListenerToken {
        record.withLock { states.listen(startingWith: $0.state, listener) }
    }

    /// Everything that the glasses report now.
    package var state: DeviceState { record.withLock { $0.state } }

    /// Everything that the glasses reported last.
    package var snapshot: LinkDevice { record.withLock { $0 } }

    func stateStream() -> AsyncStream<DeviceState> { stateStreams.stream() }

    /// Takes a report; tells what changed.
    func update(_ device: LinkDevice) {
        record.withLock { record in
            let before = record.state
            record = device
            guard device.state != before else { return }
            states.announce(device.state)
            stateStreams.send(device.state)
            if device.state.linkState != before.linkState { linkStates.announce(device.state.linkState) }
            if device.state.compatibility != before.compatibility {
                compatibilities.announce(device.state.compatibility)
            }
        }
    }
}
