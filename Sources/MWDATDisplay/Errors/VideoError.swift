import Foundation
import MWDATCore

/// Why a ``VideoPlayer`` does not play.
public enum VideoError: DatError, Hashable {
    /// The glasses did not take the view that holds the video.
    case streamRejected
    /// The video could not be played, or not to its end.
    case playbackFailed(VideoErrorType)

    /// A sentence for a person: what is wrong and what to do next.
    public var description: String {
        switch self {
        case .streamRejected: "The glasses did not take the view with the video. Send it again."
        case .playbackFailed(let type): type.sentence
        }
    }
}

/// What went wrong with a video.
public enum VideoErrorType: String, CaseIterable, Sendable {
    /// The glasses could not load the address.
    case urlInvalid
    /// Another video plays.
    case alreadyPlaying
    /// Loading or decoding failed.
    case playbackFailed
    /// The glasses did not say.
    case unknown

    /// A sentence for a person: what is wrong and what to do next.
    fileprivate var sentence: String {
        switch self {
        case .urlInvalid: "The glasses could not load the video. Check that its address can be reached from them."
        case .alreadyPlaying: "Another video plays. Stop it with sendVideoStop() first."
        case .playbackFailed:
            "The video could not be played. It must be an MP4 of at most 400 pixels a side and 70,000 pixels in all."
        case .unknown: "The video stopped for a reason that the glasses did not tell. Send it again."
        }
    }
}
