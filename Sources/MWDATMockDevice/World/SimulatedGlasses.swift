import GlassesDomain
import MWDATCore

/// One pair of glasses of the simulated world.
struct SimulatedGlasses: Sendable, Equatable {
    /// Percent at which glasses end their sessions to keep themselves alive.
    static let criticalBattery = 2

    let identifier: DeviceIdentifier
    let type: MWDATCore.DeviceType
    let name: String
    let firmware = "1.0"
    var isPowered = false
    var isUnfolded = false
    var isDonned = false
    /// What an incident says of the link while the glasses are switched on and unfolded.
    var radio = LinkState.connected
    /// When they are there again after a crash.
    var restart: MonotonicTime?
    /// Whether they have ever been connected: the companion lists them from then on.
    private(set) var isListed = false
    var compatibility = Compatibility.compatible
    var battery = 80
    var charging = ChargingState.notCharging
    var thermal = ThermalLevel.none
    var feed = MockFeedSource.pattern
    var capturedImage: String?
    /// The one session that they have.
    var session: MockSessionKey?
    /// Whether a session of an app that is gone is left on them.
    var isLeaked = false

    init(identifier: DeviceIdentifier, type: MWDATCore.DeviceType, name: String) {
        (self.identifier, self.type, self.name) = (identifier, type, name)
    }

    var linkState: LinkState { isPowered && isUnfolded && restart == nil ? radio : .disconnected }

    /// What they report; glasses of the time when they did not have to be worn do not tell whether they are.
    func state(tellsDon: Bool) -> DeviceState {
        DeviceState(
            linkState: linkState, compatibility: isListed ? compatibility : .undefined, batteryLevel: battery,
            chargingState: charging, donState: tellsDon ? (isDonned ? .donned : .doffed) : .unknown,
            hingeState: isUnfolded ? .open : .closed, thermalLevel: thermal)
    }

    /// Whether they end their sessions to save themselves.
    var isTooHot: Bool { thermal == .emergency || thermal == .shutdown }

    /// Whether they end their sessions to keep themselves alive.
    var isBatteryCritical: Bool { battery <= Self.criticalBattery && charging != .charging }

    /// Switches them off, as if they had been folded and taken off too; a session that was left on them is gone.
    mutating func switchOff() { (isPowered, isUnfolded, isDonned, isLeaked) = (false, false, false, false) }

    /// Called after every change.
    mutating func noteConnection() {
        if linkState == .connected { isListed = true }
    }
}
