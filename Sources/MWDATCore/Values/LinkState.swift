/// Whether a pair of glasses can be reached.
public enum LinkState: String, CaseIterable, Sendable, Hashable {
    case disconnected
    case connecting
    case connected
}
