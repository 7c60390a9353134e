/// Whether the glasses' arms are unfolded.
public enum HingeState: String, CaseIterable, Sendable {
    case open
    case closed
}

/// Whether the glasses are worn.
public enum DonState: String, CaseIterable, Sendable {
    /// Not reported yet.
    case unknown
    case donned
    case doffed
}

/// What the battery does.
public enum ChargingState: String, CaseIterable, Sendable {
    /// Not reported yet.
    case unknown
    case charging
    case notCharging
    case full
}

/// How hot the glasses are, coolest first after `unknown`.
public enum ThermalLevel: String, CaseIterable, Sendable {
    case unknown
    case none
    case light
    case moderate
    case severe
    case critical
    case emergency
    case shutdown
}

/// Everything that a pair of glasses reports of itself.
public struct DeviceState: Sendable, Hashable {
    /// Whether the glasses can be reached.
    public var linkState: LinkState
    /// Whether their software fits; it settles after the link is connected.
    public var compatibility: Compatibility
    /// Percent, 0 to 100; nil before the first report.
    public var batteryLevel: Int?
    /// What the battery does.
    public var chargingState: ChargingState
    /// Whether they are worn.
    public var donState: DonState
    /// Whether they are unfolded.
    public var hingeState: HingeState
    /// How hot they are.
    public var thermalLevel: ThermalLevel

    /// A state with the given values; without any, that of glasses which have not reported.
    public init(
        linkState: LinkState = .disconnected, compatibility: Compatibility = .undefined, batteryLevel: Int? = nil,
        chargingState: ChargingState = .unknown, donState: DonState = .unknown, hingeState: HingeState = .closed,
        thermalLevel: ThermalLevel = .unknown
    ) {
        self.linkState = linkState
        self.compatibility = compatibility
        self.batteryLevel = batteryLevel
        self.chargingState = chargingState
        self.donState = donState
        self.hingeState = hingeState
        self.thermalLevel = thermalLevel
    }
}
