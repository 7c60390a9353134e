/// What became of a video on the display.
public struct VideoPlaybackEvent: Sendable, Hashable {
    /// What happened.
    public let type: VideoPlaybackEventType
    /// What went wrong; nil unless `type` is ``VideoPlaybackEventType/error``.
    public let errorType: VideoErrorType?
}

/// What happened to a video.
public enum VideoPlaybackEventType: String, CaseIterable, Sendable {
    /// Its first picture is shown.
    case started
    /// It has played to its end.
    case ended
    /// It cannot be played; the event says why.
    case error
    /// It was stopped, or another view took its place.
    case stopped
    /// Something that this toolkit does not know.
    case unknown
}
