import Foundation
import MWDATCore

/// Why the display did not do what was asked.
public enum DisplayError: DatError, Hashable {
    /// The glasses are not known any more.
    case deviceNotFound
    /// The display is not `started`, so that nothing can be shown.
    case connectionNotAvailable
    /// The display or its session ended before the answer.
    case deviceDisconnected
    /// The glasses refused the video, for example because another one plays.
    case streamRejected
    /// A video's address is blank, too long, or neither `http` nor `https`.
    case invalidVideoURL
    /// Anything else; the text tells a person what is wrong and what to do.
    case displayError(String)

    /// A sentence for a person: what is wrong and what to do next.
    public var description: String {
        switch self {
        case .deviceNotFound: "The glasses are no longer known. Pair them again, then start a new session."
        case .connectionNotAvailable:
            "The display has not started. Call start() and wait for its state to become started before sending."
        case .deviceDisconnected: "The display's session has ended. Start a new session and add the display again."
        case .streamRejected: "The glasses refused the video. Stop the one that plays with sendVideoStop() first."
        case .invalidVideoURL: "The video's address must be an http or https URL of at most 2,048 bytes."
        case .displayError(let message): message
        }
    }
}
