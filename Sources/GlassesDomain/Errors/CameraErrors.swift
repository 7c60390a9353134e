/// Why no frames can be read: the camera is missing, forbidden or has failed.
public struct CameraUnavailable: Error, Sendable, Hashable {
    /// The reason.
    public var error: CaptureError

    /// The camera cannot be used because of `error`.
    public init(error: CaptureError) { self.error = error }

    /// One sentence with the next step.
    public var message: String { captureErrorMessage(error: error) }
}

/// The camera was paused when its frames were asked for.
public struct CameraStreamPaused: Error, Sendable, Hashable {
    /// The camera is paused.
    public init() {}

    /// One sentence that tells how to resume it.
    public var message: String { captureErrorMessage(error: .streamPaused) }
}

extension CameraUnavailable: ExtentosErrorDescription {
    /// The reason's code.
    public var code: String { error.code }
    /// The reason's blame.
    public var blame: Blame { error.blame }
    /// One sentence with the next step.
    public var description: String { message }
}

extension CameraStreamPaused: ExtentosErrorDescription {
    /// `stream_paused`.
    public var code: String { CaptureError.streamPaused.code }
    /// The wearer's or the device's.
    public var blame: Blame { CaptureError.streamPaused.blame }
    /// One sentence that tells how to resume it.
    public var description: String { message }
}
