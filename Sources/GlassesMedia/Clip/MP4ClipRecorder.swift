import GlassesDomain

/// Records clips as fragmented MP4: H.264 and Opus, or Motion JPEG and PCM in a QuickTime file where openh264 is missing or does not
/// take the size. `VideoClip.format` tells which: `mp4H264` for all that is MPEG-4, `mov` for QuickTime.
///
/// HEVC is not written, as no encoder for it is free to ship; who asks for it gets H.264. `mov` gives QuickTime with H.264 and PCM.
/// Thread-safe; each writer is for one thread at a time.
public final class MP4ClipRecorder: ClipRecorder {
    private let openH264: String
    private let pictures = TurboPictureCoder()

    /// A recorder that opens openh264 by its usual name.
    public convenience init() { self.init(openH264: OpenH264Library.name) }

    /// A recorder that opens a library of this name.
    init(openH264: String) { self.openH264 = openH264 }

    /// Creates the file. Its folder has to be there, and the file must not.
    ///
    /// - Throws: `MediaError.writeFailed(code:message:)` when it cannot be created, `MediaError.coderFailed(code:message:)` for a
    ///   sound rate outside 8000–192000 Hz.
    public func begin(_ plan: ClipPlan) throws(MediaError) -> any ClipWriter {
        try begin(plan, in: ClipFile(creating: plan.path))
    }

    /// Begins a clip in an open file, which is removed if nothing comes of it.
    func begin(_ plan: ClipPlan, in file: ClipFile) throws(MediaError) -> MP4ClipWriter {
        do throws(MediaError) {
            // Made once now, so that what cannot work is told before the first frame.
            if let rate = plan.soundRate { _ = try ClipSound(rate: rate, brand: .mp4) }
        } catch {
            try file.remove()
            throw error
        }
        return MP4ClipWriter(plan: plan, file: file, coders: VideoCoders(openH264: openH264, pictures: pictures))
    }
}

/// Chooses how pictures are coded.
struct VideoCoders: Sendable {
    var openH264: String
    var pictures: TurboPictureCoder

    /// Codes the first frame, in H.264 if that works for its size, else as Motion JPEG, and answers what the others are coded by.
    func begin(
        with frame: CameraFrame, width: Int, height: Int, frameRate: Int
    ) throws(MediaError) -> (coder: any VideoCoder, picture: CodedPicture) {
        do throws(MediaError) {
            let coder = try H264Coder(
                library: OpenH264Library(named: openH264), width: width, height: height, frameRate: frameRate,
                pictures: pictures)
            return (coder, try coder.encode(frame, milliseconds: 0, isKey: true))
        } catch {
            // A damaged frame is no reason to do without H.264; what comes in its place is in the clip's format.
            guard case .coderFailed = error else { throw error }
            let coder = MotionJPEGCoder(width: width, height: height, pictures: pictures)
            return (coder, try coder.encode(frame, milliseconds: 0, isKey: true))
        }
    }
}
