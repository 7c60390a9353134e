import Foundation
import MWDATCore

/// The photo errors that version 0.8 declared and never delivered; photos fail with ``StreamError/photoCaptureFailed``.
@available(*, deprecated, message: "Photos fail with StreamError.photoCaptureFailed.")
public enum CaptureError: DatError, Hashable {
    /// The photo did not come in time.
    case timeout
    /// The photo failed.
    case failure

    /// What happened, for a person.
    public var description: String {
        switch self {
        case .timeout: "The photo did not come in time. Take it again."
        case .failure: "The photo failed. Take it again."
        }
    }
}
