import GlassesDomain

/// What turns frames into files. What needs a missing one fails with the code `pictures_unavailable` or `clips_unavailable`.
public struct MediaPorts: Sendable {
    /// Codes pictures.
    public var pictures: (any PictureCoder)?
    /// Records clips.
    public var clips: (any ClipRecorder)?
    /// Where photos and clips are written.
    public var folder: (any CaptureFolder)?

    /// The given ports.
    public init(
        pictures: (any PictureCoder)? = nil, clips: (any ClipRecorder)? = nil, folder: (any CaptureFolder)? = nil
    ) {
        self.pictures = pictures
        self.clips = clips
        self.folder = folder
    }
}
