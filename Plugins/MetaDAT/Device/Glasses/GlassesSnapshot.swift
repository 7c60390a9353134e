import MWDATCore

/// What is known of one pair of glasses at one moment.
struct GlassesSnapshot: Sendable, Hashable {
    var id: DeviceIdentifier
    var isReachable: Bool
    var isFolded: Bool
    var isWorn: Bool
    var isTooHot: Bool

    init(id: DeviceIdentifier, isReachable: Bool, isFolded: Bool = false, isWorn: Bool = true, isTooHot: Bool = false) {
        self.id = id
        self.isReachable = isReachable
        self.isFolded = isFolded
        self.isWorn = isWorn
        self.isTooHot = isTooHot
    }

    init(_ device: Device) {
        self.init(
            id: device.identifier, isReachable: device.linkState == .connected,
            isFolded: device.hingeState == .closed, isWorn: device.donState == .donned,
            isTooHot: device.thermalLevel.endsSessions)
    }

    /// Whether they can be used.
    var isUsable: Bool { isReachable && !isFolded && !isTooHot }
}

extension ThermalLevel {
    /// Whether glasses as hot as this end what they do.
    var endsSessions: Bool {
        switch self {
        case .emergency, .shutdown: true
        case .unknown, .none, .light, .moderate, .severe, .critical: false
        }
    }
}
