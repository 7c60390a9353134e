import MWDATCore

/// What a bridge does.
public enum DATBridgeState: Sendable, Equatable {
    /// No phone is connected; paired ones may connect.
    case waiting
    /// No phone is connected, and a code was shown by which a new one may: until it is used or void, or is tried after
    /// its time.
    case pairing
    /// A phone is connected.
    case connected(PairedPhone)
    /// The phone cannot be dialled; the bridge goes on trying.
    case unreachable(Refusal)
    /// It has been stopped.
    case stopped
}
