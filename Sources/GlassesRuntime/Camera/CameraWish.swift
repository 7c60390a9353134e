import GlassesDomain

/// What somebody wants the camera for.
enum CameraUse: Sendable, Hashable {
    /// One frame off the stream.
    case photo
    /// The camera's own still function; needs no stream.
    case still
    /// A recording.
    case clip
    /// Frames until the reader has enough.
    case frames

    /// Whether the shared stream has to run for it.
    var needsStream: Bool { self != .still }

    /// What the runtime's log calls it.
    var operation: String {
        switch self {
        case .photo, .still: "capture_photo"
        case .clip: "capture_video"
        case .frames: "video_frames"
        }
    }
}

/// How somebody would like the stream to be, if it is not open yet.
struct CameraWish: Sendable, Hashable {
    /// The size class.
    var resolution: Resolution
    /// Frames a second.
    var frameRate: Int
    /// Whether pixels are wanted rather than JPEG files.
    var prefersPixels = false

    /// The wish of a reader of frames while battery is saved: small, and at most ``savingRate`` frames a second.
    var savingBattery: CameraWish {
        CameraWish(resolution: .low, frameRate: min(frameRate, Self.savingRate), prefersPixels: prefersPixels)
    }

    /// Frames a second at most while battery is saved.
    static let savingRate = 2
    /// For a photo: enough that the next frame is never far, as the original arms it.
    static let photoRate = 24

    /// The mode that comes nearest: first the size, then the frame rate (the higher one of two that are equally near), then the way in
    /// which frames are stored. Nil without modes.
    func nearest(in modes: [CameraMode]) -> CameraMode? {
        modes.enumerated().min { left, right in cost(left.element, left.offset) < cost(right.element, right.offset) }?
            .element
    }

    /// What decides, the most important first; the device's order settles the rest.
    private func cost(_ mode: CameraMode, _ position: Int) -> Cost {
        // No camera is slower or faster; what lies beyond is as far away as the end.
        let asked = min(max(frameRate, 1), 1_000)
        return Cost(
            size: resolution.distance(width: mode.width, height: mode.height), rate: abs(mode.frameRate - asked),
            isSlower: mode.frameRate < asked, format: formatRank(mode.format), position: position)
    }

    private func formatRank(_ format: CameraPixelFormat) -> Int {
        switch format {
        case .jpeg: prefersPixels ? 3 : 0
        case .i420: prefersPixels ? 0 : 1
        case .nv12: prefersPixels ? 1 : 2
        case .yuyv: prefersPixels ? 2 : 3
        }
    }
}

/// How far a mode is from a wish.
private struct Cost: Comparable {
    var size: Int
    var rate: Int
    var isSlower: Bool
    var format: Int
    var position: Int

    static func < (left: Cost, right: Cost) -> Bool {
        if left.size != right.size { return left.size < right.size }
        if left.rate != right.rate { return left.rate < right.rate }
        if left.isSlower != right.isSlower { return right.isSlower }
        return (left.format, left.position) < (right.format, right.position)
    }
}

extension Resolution {
    /// The nominal size, upright.
    var nominalSize: (short: Int, long: Int) {
        switch self {
        case .low: (360, 640)
        case .medium: (504, 896)
        case .high: (720, 1_280)
        }
    }

    /// Pixels by which both sides together differ from the nominal size, whichever way the picture is turned.
    func distance(width: Int, height: Int) -> Int {
        abs(min(width, height) - nominalSize.short) + abs(max(width, height) - nominalSize.long)
    }

    /// The class whose nominal size is nearest.
    init(nearest mode: CameraMode) {
        let classes: [Resolution] = [.low, .medium, .high]
        self =
            classes.min {
                $0.distance(width: mode.width, height: mode.height)
                    < $1.distance(width: mode.width, height: mode.height)
            } ?? .medium
    }
}

extension ActiveStreamInfo {
    /// What a stream in `mode` is locked at.
    init(_ mode: CameraMode) { self.init(resolution: Resolution(nearest: mode), frameRate: mode.frameRate) }
}
