import GlassesDomain

/// The reasons that the camera client itself gives.
extension CaptureError {
    static let noCamera = platformError(
        code: "no_camera", message: "This device has no camera. Connect a device with one, or choose another camera.")
    static let armTimeout = platformError(
        code: "open_stream_failed",
        message: "The camera delivered no picture in time. Check that it is on and not in use, then try again.")
    static let grabTimeout = platformError(
        code: "frame_grab_timeout",
        message: "No usable picture came from the camera within ten seconds. Try again.")
    static let stillTimeout = platformError(
        code: "capture_photo_timeout",
        message: "The camera did not answer with a still in time. Try again, or take the photo from its stream.")
    static let stalled = platformError(
        code: "stream_stalled",
        message: "The camera stopped delivering pictures, and starting it again did not help. Check its connection.")
    static let stillUnderWay = platformError(
        code: "busy", message: "The camera is taking a still already. Wait for it.")
    static let cancelled = platformError(
        code: "capture_cancelled", message: "The capture was cancelled by its caller.")
    static let videoInFlight = platformError(
        code: "video_in_flight", message: "A recording is running already. Stop it before starting another one.")
    static let noFrames = platformError(
        code: "no_frames", message: "The recording ended before its first picture. Record for longer.")
    static let invalidDuration = platformError(
        code: "invalid_duration", message: "A recording needs a maximal duration of at least one second, or none.")
    static let picturesUnavailable = platformError(
        code: "pictures_unavailable",
        message: "This build has no picture coder. Use GlassesCore, which has one, or bind a PictureCoder.")
    static let clipsUnavailable = platformError(
        code: "clips_unavailable",
        message: "This build records no clips. Use GlassesCore, which does, or bind a ClipRecorder.")
    static let finishTimeout = platformError(
        code: "capture_video_failed",
        message: "The recording could not be completed in time. Check the disk; the part on it may be playable.")

    /// A failure of a coder or of the disk.
    init(_ error: MediaError) {
        switch error {
        case .undecodable(let reason):
            self = .platformError(
                code: "undecodable", message: "The camera's picture is damaged (\(reason)). Try again.")
        case .unsupportedSize(let width, let height):
            self = .platformError(
                code: "unsupported_size", message: "Pictures of \(width) by \(height) pixels are not taken. Try again.")
        case .writeFailed(let code, let message), .coderFailed(let code, let message):
            self = .platformError(code: code, message: message)
        }
    }

    /// Whether another attempt to open the stream would be refused for the same reason.
    var isFinal: Bool {
        switch self {
        case .notConnected, .permissionDenied, .thermalCritical, .hingesClosed, .coexistenceBlocked, .streamPaused,
            .disabledByUser:
            true
        case .platformError(let code, _): ["unsupported_mode", "already_open"].contains(code)
        }
    }

    /// Whether the camera itself has failed, so that a warning is due.
    var isBreakage: Bool {
        switch self {
        case .notConnected, .streamPaused, .disabledByUser: false
        case .permissionDenied, .thermalCritical, .hingesClosed, .coexistenceBlocked, .platformError: true
        }
    }
}
