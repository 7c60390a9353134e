/// The sizes that both roles hold, in bytes of one JSON message.
public enum RealtimeLimits {
    /// What a client accepts: eight times the largest event that servers are known to send (8 MiB of retrieved audio).
    public static let clientInboundBytes = 64 << 20
    /// What a gateway accepts: one `input_audio_buffer.append` may carry 15 MiB of audio, which is 20 MiB of base64.
    public static let gatewayInboundBytes = 21 << 20
    /// What a server sends at most: the smallest receive limit of a known client library is 8 MiB, exclusive.
    public static let serverEventBytes = (8 << 20) - 1
    /// What a client sends at most in an event without audio: the smallest default of WebSocket libraries is 1 MiB.
    public static let controlEventBytes = 1 << 20
    /// What a server takes at most as the data URL of one picture: its events that carry the item stay below ``serverEventBytes``.
    public static let pictureURLBytes = 7 << 20
    /// The longest audio of one `input_audio_buffer.append`, before base64.
    public static let appendAudioBytes = 15 << 20
}
