import GlassesDomain
import MWDATCore

/// Makes the pictures of one running stream. Used by one thread; it may take as long as a picture takes, within a bound.
protocol MockFeed: AnyObject {
    /// Picture `number`, counted from 0 with gaps for those that were left out; nil when there is none yet.
    func picture(_ number: UInt64, _ plan: MockFeedPlan) throws(Refusal) -> MockPicture?
    /// Lets go of everything; no call comes after it.
    func close()
}

/// Opens feeds.
struct MockFeedOpener: Sendable {
    /// The optional decoder; nil when it is not installed.
    var decoder: VideoDecoder?

    /// The feed of a plan.
    func open(_ plan: MockFeedPlan) throws(Refusal) -> any MockFeed {
        switch plan.source {
        case .pattern: return try encoded(PatternFeed(), plan)
        case .path(let path):
            if let reel = try PictureReel(path: path) { return try encoded(PictureFeed(reel: reel), plan) }
            let decoder = try installedDecoder()
            if plan.coding == .hvc1 { return CodedFeed(try decoder.coded(path: path)) }
            return DecodedFeed(try decoder.decoded(path: path, plan), plan)
        case .camera(let path):
            let decoder = try installedDecoder()
            if plan.coding == .hvc1 { return CodedFeed(try decoder.coded(camera: path, plan)) }
            return DecodedFeed(try decoder.decoded(camera: path, plan), plan)
        }
    }

    /// A feed of plain pictures, through an encoder if the plan wants it.
    private func encoded(_ feed: any MockFeed, _ plan: MockFeedPlan) throws(Refusal) -> any MockFeed {
        guard plan.coding == .hvc1 else { return feed }
        return EncodedFeed(feed, try installedDecoder().encoder(plan))
    }

    private func installedDecoder() throws(Refusal) -> VideoDecoder {
        guard let decoder else { throw .noDecoder }
        return decoder
    }
}

extension Refusal {
    static let noDecoder = Refusal(
        .media,
        "This feed needs the program ffmpeg, which is not installed. Install the package ffmpeg, or use JPEG pictures.",
        isRetryable: true)

    static func unreadablePicture(_ reason: String) -> Refusal {
        Refusal(.media, "A picture of the feed cannot be read: \(reason). Name other pictures.", isRetryable: false)
    }

    static func unreadableFeed(_ reason: String) -> Refusal {
        Refusal(.media, "The feed cannot be read: \(reason). Name another file or camera.", isRetryable: false)
    }

    static func unreadablePicture(_ error: MediaError) -> Refusal {
        switch error {
        case .undecodable(let reason): unreadablePicture(reason)
        case .unsupportedSize(let width, let height): unreadablePicture("it has \(width) × \(height) pixels")
        case .writeFailed(_, let message), .coderFailed(_, let message): unreadablePicture(message)
        }
    }
}
