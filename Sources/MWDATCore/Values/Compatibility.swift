/// Whether the glasses' software and this toolkit understand each other.
public enum Compatibility: String, CaseIterable, Sendable {
    /// Not known yet: it settles after the link is connected.
    case undefined
    case compatible
    case deviceUpdateRequired
    case sdkUpdateRequired

    /// What a person reads.
    public var displayString: String {
        switch self {
        case .undefined: "Not known yet"
        case .compatible: "Compatible"
        case .deviceUpdateRequired: "The glasses need an update"
        case .sdkUpdateRequired: "This app needs an update"
        }
    }
}
