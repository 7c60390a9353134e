/// The close codes of RFC 6455 section 7.4 and its registry.
public enum WebSocketCloseCode {
    /// The purpose of the connection is fulfilled.
    public static let normal: UInt16 = 1000
    /// The peer goes away: a server that stops, a page that is left.
    public static let goingAway: UInt16 = 1001
    /// The peer broke the protocol.
    public static let protocolError: UInt16 = 1002
    /// A close frame without a code; never on the wire.
    public static let noCode: UInt16 = 1005
    /// The link dropped without a close frame; never on the wire.
    public static let abnormal: UInt16 = 1006
    /// A text that is not UTF-8.
    public static let invalidText: UInt16 = 1007
    /// A message above the receiver's limit.
    public static let tooBig: UInt16 = 1009
    /// A fault of the sender of the close frame.
    public static let internalError: UInt16 = 1011

    /// Whether a close frame may carry `code`: the registered ones and those of libraries (3000…) and apps (4000…4999).
    public static func isAllowedOnWire(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
