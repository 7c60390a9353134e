/// The bounds of an answer to an upgrade request.
public enum HandshakeLimits {
    /// The bytes of the status line and the header together, interim answers included: eight times what servers
    /// commonly send.
    public static let head = 64 << 10
    /// The header fields of one answer; common servers allow about as many in a request.
    public static let fields = 100
    /// The bytes of a refusal's body that are kept: an error object has a few hundred.
    public static let body = 64 << 10
}
