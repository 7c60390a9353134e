/// Where the pictures of a simulated camera come from.
enum MockFeedSource: Sendable, Hashable {
    /// A moving picture that carries its number.
    case pattern
    /// A file or folder: JPEG pictures, Motion JPEG, or whatever the optional decoder reads.
    case path(String)
    /// A camera of this machine, such as `/dev/video0`.
    case camera(String)
}
