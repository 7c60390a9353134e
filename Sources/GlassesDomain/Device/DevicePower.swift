/// Everything that a device tells of its condition. What is nil is not known.
public struct DevicePower: Sendable, Hashable {
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

    /// Whether the arms of glasses are unfolded.
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
    /// Whether the arms of glasses are unfolded.
    public var hinges: Hinges?
    /// Whether somebody wears it.
    public var isWorn: Bool?

    /// A condition with the given facts; without any, one of which nothing is known.
    public init(
        battery: Int? = nil, charging: Charging? = nil, thermal: Thermal? = nil, hinges: Hinges? = nil,
        isWorn: Bool? = nil
    ) {
        self.battery = battery
        self.charging = charging
        self.thermal = thermal
        self.hinges = hinges
        self.isWorn = isWorn
    }
}

/// How serious a device's heat is.
public enum ThermalSeverity: String, Sendable, Hashable, CaseIterable {
    case light
    case moderate
    case severe
    case critical
}

/// Something about the hardware that its wearer or the app should know.
public enum HardwareAlert: Sendable, Hashable {
    /// The device got hotter.
    case thermalWarning(severity: ThermalSeverity)
    /// The arms were folded.
    case hingesClosed
}
