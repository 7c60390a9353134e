/// The bounds of the link's protocol.
package enum LinkLimits {
    /// Bytes of a header: sixty-four devices with all their fields fit.
    package static let header = 64 << 10
    /// Bytes of a payload: an I420 picture of 1280 × 720 is 1.4 MB, a photo of 12 megapixels 5 MB.
    package static let payload = 16 << 20
    /// Pixels along one side of a picture: more than any camera of glasses has.
    package static let side = 16_384
    /// The version of the protocol's messages that this toolkit speaks.
    package static let version = 1
    /// Identifiers and times stay below this, so that a peer may keep numbers as IEEE doubles.
    static let integer: Int64 = 1 << 53
}
