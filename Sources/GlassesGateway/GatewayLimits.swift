import GlassesNet
import GlassesRealtime
import GlassesWebSocket

/// The bounds of the gateway.
public enum GatewayLimits {
    /// How much may arrive and wait over all connections of one token, in bytes.
    public static let inboundPerToken = 64 << 20
    /// The largest token or key file, in bytes: a thousand tokens of usual length.
    static let secretFileBytes = 64 << 10
    /// The most tokens of one gateway: each request is compared with all of them.
    static let tokens = 1_000
    /// The largest upstream file, in bytes.
    static let upstreamFileBytes = 1 << 20
    /// Session starts and client secrets that one token may ask for at once: every session of a full gateway, and some
    /// more.
    static let requestBurst = 1_200
    /// Session starts and client secrets that one token may ask for in each second after a burst.
    static let requestsPerSecond = 20
    /// Client secrets that are valid at once, over all tokens.
    static let clientSecrets = 10_000
    /// The configurations that client secrets hold, as JSON, over all tokens.
    static let clientSecretBytes = 64 << 20
    /// Bytes that wait for a client's socket, above which the session is not read on: ten seconds of speech.
    static let outboundHighWater = 512 << 10
    /// The lines of an upgrade's answer: what this gateway would select, so that clients need not guess.
    static let upgradeHeaders: HTTPFields = {
        var fields = HTTPFields()
        fields.append(name: SubprotocolOffer.header, value: OpusWire.subprotocol)
        return fields
    }()
    /// A message for the relay that is longer cannot be an event that the relay has to look at, unless it carries a
    /// picture.
    static let inspectedMessage = 2 << 20
    /// How long an upstream may take for a chat answer, and between two pieces of it; a long answer in one piece takes minutes.
    static let chatTime = Duration.seconds(120)
    /// The largest profile of a user, as JSON, in bytes: thousands of facts.
    static let memoryProfile = 64 << 10
    /// Profiles that one token may have.
    static let memoryProfiles = 1_000
    /// The longest id of a user, in bytes.
    static let memoryUserId = 256
    /// The largest chat answer of an upstream, and the longest event of one that is streamed, in bytes.
    static let chatAnswer = 8 << 20
}
