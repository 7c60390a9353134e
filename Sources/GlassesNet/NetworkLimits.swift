/// The bounds of the network's waits and queues.
public enum NetworkLimits {
    /// How long opening may take, from the name lookup to the accepted upgrade.
    public static let open = Duration.seconds(10)
    /// How long the peer may take to answer a close before its socket is dropped.
    public static let close = Duration.seconds(2)
    /// How often a quiet peer is asked for a sign of life.
    public static let pingInterval = Duration.seconds(20)
    /// The kernel gives a connection up when sent bytes stay unacknowledged for this long (`TCP_USER_TIMEOUT`).
    public static let unacknowledged = Duration.seconds(8)
    /// The largest message that a client accepts, in bytes; a larger one ends the connection with 1009.
    public static let inboundMessage = 64 << 20
}
