/// How much of a picture a session sends: what models use of it, and never a message that a provider may find too big.
public struct PictureBudget: Sendable, Hashable {
    /// One size and quality to try.
    public struct Step: Sendable, Hashable {
        /// Pixels of the longest side at most.
        public var longestSide: Int
        /// The JPEG quality, 1–100.
        public var quality: Int

        /// A step.
        public init(longestSide: Int, quality: Int) {
            self.longestSide = longestSide
            self.quality = quality
        }
    }

    /// What is tried in order, until the picture is small enough.
    public let steps: [Step]
    /// Bytes of the picture as a data URL at most.
    public let urlBytes: Int

    /// A picture that the user asks about. With a prompt of ``promptBytes`` its event stays below the 1 MiB that every provider takes.
    public static let still = PictureBudget(
        steps: [
            Step(longestSide: 1024, quality: 80), Step(longestSide: 1024, quality: 60),
            Step(longestSide: 768, quality: 60), Step(longestSide: 512, quality: 50),
        ],
        urlBytes: 512 << 10)

    /// A frame of live video: models look at it coarsely, and one comes every second.
    public static let frame = PictureBudget(
        steps: [
            Step(longestSide: 512, quality: 80), Step(longestSide: 512, quality: 60),
            Step(longestSide: 320, quality: 50),
        ],
        urlBytes: 128 << 10)

    /// The text that goes along with a picture, in bytes: six times as long when every character of it is escaped.
    public static let promptBytes = 64 << 10
    /// A picture file before it is scaled, in bytes: twice what the largest telephone cameras write.
    public static let fileBytes = 32 << 20
    /// A link to a picture, in bytes: the longest that servers commonly take.
    public static let linkBytes = 8 << 10
    /// How many pictures the conversation keeps, newest first; older ones become text.
    public static let keptPictures = 2
    /// How many frames of video the provider keeps.
    public static let keptFrames = 2
    /// The least time between two frames: models look at video once a second.
    public static let frameInterval = Duration.seconds(1)

    /// Whether a picture file of this many bytes fits as a data URL of a type.
    public func takes(fileBytes: Int, mimeType: String) -> Bool {
        PictureURL.length(fileBytes: fileBytes, mimeType: mimeType) <= urlBytes
    }
}
