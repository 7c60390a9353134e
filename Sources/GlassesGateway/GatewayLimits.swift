/// The bounds of the gateway.
public enum GatewayLimits {
    /// How much may arrive and wait over all connections of one token, in bytes.
    public static let inboundPerToken = 64 << 20
}
