import Foundation
import MWDATCore

/// Why a stream ended, or what of it failed.
///
/// All cases end the stream but ``photoCaptureFailed`` and ``audioStreamingError``; see ``isFatal``. ``StreamFailure`` adds the reason.
public enum StreamError: DatError, Hashable {
    /// Something outside of the app's reach failed; the reason is told by ``StreamFailure``.
    case internalError
    /// There are no such glasses.
    case deviceNotFound(DeviceIdentifier)
    /// The glasses cannot be reached.
    case deviceNotConnected(DeviceIdentifier)
    /// No picture came within 10 s of the start.
    case timeout
    /// The pictures failed, or stayed away for 10 s.
    case videoStreamingError
    /// The sound failed; the pictures go on.
    case audioStreamingError
    /// The person has not allowed the camera.
    case permissionDenied
    /// The glasses were folded or taken off.
    case hingesClosed
    /// The glasses are too hot.
    case thermalHot
    /// The glasses draw more power than they can give.
    case peakPowerLimit
    /// The battery is empty.
    case batteryLow
    /// The photo that was accepted will not come; the stream goes on.
    case photoCaptureFailed

    /// Whether the stream ends with it.
    public var isFatal: Bool {
        switch self {
        case .photoCaptureFailed, .audioStreamingError: false
        case .internalError, .deviceNotFound, .deviceNotConnected, .timeout, .videoStreamingError, .permissionDenied,
            .hingesClosed, .thermalHot, .peakPowerLimit, .batteryLow:
            true
        }
    }

    /// What happened, for a person.
    public var description: String {
        switch self {
        case .internalError: "The stream ended because of an internal error. Start it again."
        case .deviceNotFound: "The glasses are not known. Pair them, then start again."
        case .deviceNotConnected: "The glasses cannot be reached. Bring them near and switch them on, then start again."
        case .timeout: "No picture came from the glasses in time. Start the stream again."
        case .videoStreamingError: "The pictures of the glasses failed. Start the stream again."
        case .audioStreamingError: "The sound of the glasses failed. The pictures go on."
        case .permissionDenied: "The camera is not allowed. Request the permission, then start again."
        case .hingesClosed: "The glasses were folded or taken off. Put them on, then start again."
        case .thermalHot: "The glasses are too hot. Let them cool down, then start again."
        case .peakPowerLimit: "The glasses have too little power for the camera. Charge them, then start again."
        case .batteryLow: "The battery of the glasses is empty. Charge them, then start again."
        case .photoCaptureFailed: "The photo failed. The stream goes on; take the photo again."
        }
    }
}

/// The name of versions 0.1 to 0.6.
@available(*, deprecated, renamed: "StreamError")
public typealias StreamSessionError = StreamError

extension StreamError {
    /// The name of versions 0.5 to 0.9. It matches in a `case` of a `switch` that has a `default`.
    @available(*, deprecated, renamed: "thermalHot")
    public static var thermalCritical: StreamError { .thermalHot }
    /// The name of versions 0.7 to 0.9.
    @available(*, deprecated, renamed: "thermalHot")
    public static var thermalEmergency: StreamError { .thermalHot }
    /// The name of versions 0.7 to 0.9.
    @available(*, deprecated, renamed: "peakPowerLimit")
    public static var peakPowerShutdown: StreamError { .peakPowerLimit }
    /// The name of versions 0.7 to 0.9.
    @available(*, deprecated, renamed: "batteryLow")
    public static var batteryCritical: StreamError { .batteryLow }
}
