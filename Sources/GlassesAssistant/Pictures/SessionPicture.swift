/// A picture that is ready to be sent: a data URL within its budget, or a link.
///
/// Its descriptions tell its size and nothing of what it shows, so that no log, error or event ever holds a picture.
public struct SessionPicture: Sendable, Hashable {
    /// What `image_url` says.
    public let url: String

    /// A picture.
    public init(url: String) { self.url = url }

    /// The bytes that travel.
    public var size: Int { url.utf8.count }
}

extension SessionPicture: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its size.
    public var description: String { "picture of \(size) bytes" }
    /// Its size.
    public var debugDescription: String { description }
    /// Nothing: a dump shows no picture either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a picture cannot be sent.
public struct PictureRefusal: Error, Sendable, Hashable, Codable {
    /// The machine code: `include_image_unsupported_uri`, `picture_too_large`, `picture_undecodable` or a coder's own.
    public var code: String
    /// One sentence with the next step; never holds the picture or its path.
    public var message: String

    /// A refusal.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The URL names nothing that can be read as a picture.
    public static func unsupportedURI(_ message: String) -> PictureRefusal {
        PictureRefusal(code: "include_image_unsupported_uri", message: message)
    }

    /// The picture stays too big however it is scaled.
    public static func tooLarge(_ message: String) -> PictureRefusal {
        PictureRefusal(code: "picture_too_large", message: message)
    }

    /// The file is damaged.
    public static let undecodable = PictureRefusal(
        code: "picture_undecodable", message: "The picture is damaged or incomplete. Take or save it again.")
}

/// The words that stand for a picture in the history.
enum PictureNote {
    /// Words for a picture that the conversation holds.
    static func kept(timestampMs: Int64, prompt: String?) -> String { note("picture of \(time(timestampMs))", prompt) }

    /// Words in the place of a picture that makes room for newer ones.
    static func leftOut(timestampMs: Int64, prompt: String?) -> String {
        note("picture of \(time(timestampMs)), left out", prompt)
    }

    /// Words in the place of a picture that the provider did not take.
    static func refused(timestampMs: Int64, prompt: String?) -> String {
        note("picture of \(time(timestampMs)), which the provider did not take", prompt)
    }

    private static func note(_ words: String, _ prompt: String?) -> String {
        guard let prompt, !prompt.isEmpty else { return "[\(words)]" }
        return "[\(words)] \(prompt)"
    }

    /// The time of day in UTC: the zone of the user is not known here.
    private static func time(_ timestampMs: Int64) -> String {
        let dayMinutes: Int64 = 24 * 60
        let minute = ((timestampMs / 60_000) % dayMinutes + dayMinutes) % dayMinutes
        let (hours, minutes) = (minute / 60, minute % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes) UTC"
    }
}
