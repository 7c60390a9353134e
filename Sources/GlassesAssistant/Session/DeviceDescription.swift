import GlassesDomain

/// The user's device as a model is told of it.
///
/// Two descriptions say the same when their fingerprints are equal: a record of a session keeps the number where it masks the text.
public struct DeviceDescription: Sendable, Hashable, Codable {
    /// The text for the model.
    public var text: String
    /// A number for what in it is worth telling anew.
    public var fingerprint: Int64

    /// A description.
    public init(text: String, fingerprint: Int64) {
        self.text = text
        self.fingerprint = fingerprint
    }
}

/// What the provider's conversation was told of the device.
struct DeviceNotes: Sendable, Hashable {
    /// From a change to telling it, so that changes which come together are told as one.
    static let settling = Duration.seconds(2)
    /// Between two notes, however often the device changes.
    static let pause = Duration.seconds(10)

    /// The device as it is now; nil when the model is not told of it.
    var current: DeviceDescription?
    /// The fingerprint that the open connection knows.
    var told: Int64?
    /// The fingerprint that a second connection began with.
    var toldSecond: Int64?
    /// The item of the newest note in the open conversation.
    var item: String?
    var lastNote: MonotonicTime?
    /// Whether a note waits for a quiet moment.
    var isDue = false

    /// Whether the open connection knows something else than what is.
    var isNews: Bool { current != nil && current?.fingerprint != told }
}
