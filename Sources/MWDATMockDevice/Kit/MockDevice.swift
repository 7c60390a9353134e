import MWDATCore

/// A simulated device. Any thread; what a call brings about has begun when it returns.
public protocol MockDevice: Sendable {
    /// Names it among the paired devices; new for each pairing.
    var deviceIdentifier: DeviceIdentifier { get }
    /// Switches it on; it is listed once it is unfolded too.
    func powerOn()
    /// Switches it off: link and session end, and it is folded and not worn.
    func powerOff()
    /// Puts it on, which switches it on and unfolds it.
    func don()
    /// Takes it off: the stream ends and the session pauses, or both pause, as ``MockBehavior/doffEffect`` has it.
    func doff()
    /// Sets the battery's level in percent, brought into 0 to 100. At 2 and below a session ends unless the battery is charging; at 0
    /// the device goes off.
    func setBatteryLevel(_ level: Int)
    /// Sets what the battery does.
    func setChargingState(_ state: ChargingState)
    /// Sets how hot it is: `critical` ends the stream and warns the session; `emergency` and `shutdown` end the session.
    func setThermalLevel(_ level: ThermalLevel)
}

/// Simulated glasses.
public protocol MockGlasses: MockDevice {
    /// What they carry.
    var services: any MockGlassesServices { get }
    /// Folds them: link and session end, and they are not worn.
    func fold()
    /// Unfolds them.
    func unfold()
    /// Lets something happen to them once. An addition to the vendor's API.
    func happen(_ incident: MockIncident)
    /// Sets whether their software fits. An addition to the vendor's API; it fits by default.
    func setCompatibility(_ compatibility: Compatibility)
}

/// What simulated glasses carry.
public protocol MockGlassesServices: Sendable {
    /// The camera.
    var camera: any MockCameraKit { get }
    /// The touch pad.
    var captouch: any MockCaptouchKit { get }
    /// The display; on models without one it shows nothing.
    var display: any MockDisplayKit { get }
}

/// The older name.
@available(*, deprecated, renamed: "MockGlasses")
public typealias MockDisplaylessGlasses = MockGlasses
/// The older name.
@available(*, deprecated, renamed: "MockGlasses")
public typealias MockRaybanMeta = MockGlasses
/// The older name.
@available(*, deprecated, renamed: "MockGlassesServices")
public typealias MockDisplaylessGlassesServices = MockGlassesServices

extension MockGlasses {
    /// The camera.
    @available(*, deprecated, renamed: "services.camera")
    public func getCameraKit() -> any MockCameraKit { services.camera }
}
