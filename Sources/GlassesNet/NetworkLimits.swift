/// The bounds of the network's waits and queues.
public enum NetworkLimits {
    /// How long opening may take, from the name lookup to the accepted upgrade.
    public static let open = Duration.seconds(10)
    /// How long the peer may take to answer a close before its socket is dropped.
    public static let close = Duration.seconds(2)
    /// How often a quiet peer is asked for a sign of life.
    public static let pingInterval = Duration.seconds(20)
    /// How long a peer that was asked may stay quiet before the connection counts as lost.
    public static let pongWait = Duration.seconds(20)
    /// The kernel gives a connection up when sent bytes stay unacknowledged for this long (`TCP_USER_TIMEOUT`).
    public static let unacknowledged = Duration.seconds(8)
    /// The kernel takes no more while this many bytes are not on their way (`TCP_NOTSENT_LOWAT`): what waits here can still
    /// be overtaken by a control message, and its age can be told. Two seconds of 24 kHz audio on the wire.
    public static let unsentInKernel = 128 << 10
    /// Microphone audio that waits longer than this counts as a lost connection.
    public static let unsentAudio = Duration.seconds(5)
    /// The bytes that may wait in the audio lane; a burst of an utterance that is sent again fits (30 s are 2 MB).
    public static let audioLane = 16 << 20
    /// The bytes that may wait in the control lane; more counts as a lost connection.
    public static let controlLane = 64 << 20
    /// A channel whose waiting bytes fall to nothing from more than this says `drained`.
    public static let outboundHighWater = 1 << 20
    /// A connection stops reading while more than this many received bytes wait for their consumer, and reads on at half.
    public static let inboundHighWater = 1 << 20
    /// The largest message that a client accepts, in bytes; a larger one ends the connection with 1009.
    public static let inboundMessage = 64 << 20
    /// The head of an HTTP response; what libcurl itself accepts is more.
    public static let responseHead = 64 << 10
    /// How long the rest of a refusal's body is waited for; the status is known by then.
    public static let refusalWait = Duration.seconds(1)
}
