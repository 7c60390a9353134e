/// What a stream does.
public enum StreamState: String, CaseIterable, Sendable {
    /// It ends; ``stopped`` follows within 2 s.
    case stopping
    /// It does nothing and can be started.
    case stopped
    /// It needs glasses with a started session.
    case waitingForDevice
    /// The glasses have been asked, and no picture has come yet.
    case starting
    /// Pictures come: this begins with the first one.
    case streaming
    /// The glasses, or the app's being in the background, hold it. No picture is delivered; wait, do not restart.
    case paused
}

/// The name of versions 0.1 to 0.6.
@available(*, deprecated, renamed: "StreamState")
public typealias StreamSessionState = StreamState

/// Whether a stream's pictures come as they should; an addition to the vendor's interface.
public enum StreamDelivery: String, CaseIterable, Sendable {
    /// No picture is expected: the stream is not streaming, or it is paused.
    case idle
    /// Pictures come.
    case flowing
    /// None has come for 2 s although the stream is streaming. A picture that can be decoded alone has been asked for. After 10 s
    /// the stream ends with ``StreamError/videoStreamingError``.
    case stalled
}
