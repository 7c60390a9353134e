import GlassesDomain
import GlassesMedia
import GlassesRuntime

/// What photos and clips are made with.
enum LiveMedia {
    /// The picture coder; it keeps nothing, so that one serves everybody.
    static let pictures: any PictureCoder = TurboPictureCoder()

    /// The ports of one glasses instance, whose captures are kept in `folder`.
    static func ports(folder: any CaptureFolder) -> MediaPorts {
        MediaPorts(pictures: pictures, clips: MP4ClipRecorder(), folder: folder)
    }
}
