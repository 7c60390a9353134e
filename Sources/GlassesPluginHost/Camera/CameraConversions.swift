import CGlassesPlugin
import GlassesDomain

extension CameraFacts {
    /// More modes than any device has.
    private static let modeLimit = 512

    /// The facts of a description's "camera"; throws when they make no sense.
    init(json: JSONValue?) throws(WrongFact) {
        let wrong = WrongFact(member: "camera")
        var modes: [CameraMode] = []
        for format in json?["formats"]?.arrayValue ?? [] {
            guard let pixels = format["format"]?.stringValue.flatMap(CameraPixelFormat.init(rawValue:)),
                let width = Self.side(format["width"]), let height = Self.side(format["height"])
            else { throw wrong }
            for rate in format["frameRates"]?.arrayValue ?? [] {
                guard let rate = rate.intValue.flatMap({ Int(exactly: $0) }), (1...1_000).contains(rate),
                    modes.count < Self.modeLimit
                else { throw wrong }
                modes.append(CameraMode(format: pixels, width: width, height: height, frameRate: rate))
            }
        }
        guard !modes.isEmpty else { throw wrong }
        let photo = json?["photo"]
        let still = photo?["format"]?.stringValue.flatMap(CameraStillFormat.init(rawValue:))
        if photo?.objectValue != nil, still == nil { throw wrong }
        self.init(modes: modes, stillFormat: still)
    }

    fileprivate static func side(_ value: JSONValue?) -> Int? {
        value?.intValue.flatMap { Int(exactly: $0) }.flatMap {
            (1...Int(GLASSES_VIDEO_SIDE_MAX)).contains($0) ? $0 : nil
        }
    }
}

extension CameraMode {
    /// The ABI's text.
    var configuration: String {
        JSONValue.object([
            "format": .string(format.rawValue), "width": .int(Int64(width)), "height": .int(Int64(height)),
            "frameRate": .int(Int64(frameRate)),
        ]).jsonText
    }

    /// Bytes that one frame may take.
    var slotBytes: UInt32 {
        VideoRingMemory.slotBytes(for: .init(width: width, height: height, hasTwoBytesAPixel: format == .yuyv))
    }
}

extension CameraPixelFormat {
    /// A format of the ABI; nil for one that this host does not know.
    init?(c format: glasses_pixel_format) {
        switch Int(format) {
        case GLASSES_PIXELS_I420: self = .i420
        case GLASSES_PIXELS_NV12: self = .nv12
        case GLASSES_PIXELS_YUYV: self = .yuyv
        case GLASSES_PIXELS_JPEG: self = .jpeg
        default: return nil
        }
    }
}

extension CameraFrame {
    /// A frame that was found valid; nil for a format that this host does not know.
    init?(c frame: glasses_frame, bytes: [UInt8]) {
        guard let format = CameraPixelFormat(c: frame.format) else { return nil }
        let planes = [frame.planes.0, frame.planes.1, frame.planes.2].prefix(Int(frame.plane_count))
        self.init(
            bytes: bytes, format: format, width: Int(frame.width), height: Int(frame.height),
            rotation: Int(frame.rotation),
            planes: planes.map { CameraPlane(offset: Int($0.offset), stride: Int($0.stride)) },
            time: MonotonicTime(nanoseconds: frame.t_ns), number: frame.number)
    }
}

extension CameraStill {
    /// A still as a plugin delivers it; nil when its facts make no sense.
    init?(file: [UInt8], facts: JSONValue?) {
        guard (1...Int(GLASSES_PHOTO_MAX)).contains(file.count),
            let format = facts?["format"]?.stringValue.flatMap(CameraStillFormat.init(rawValue:)),
            let width = CameraFacts.side(facts?["width"]), let height = CameraFacts.side(facts?["height"])
        else { return nil }
        let rotation = facts?["rotation"]?.intValue.flatMap { Int(exactly: $0) } ?? 0
        guard [0, 90, 180, 270].contains(rotation) else { return nil }
        self.init(
            file: file, format: format, width: width, height: height, rotation: rotation,
            time: facts?["takenNs"]?.intValue.map { MonotonicTime(nanoseconds: $0) })
    }
}

extension CameraStreamChange {
    /// A change as a plugin tells it; nil for a state that this host does not know.
    init?(json: JSONValue?) {
        let reason = CaptureError(
            code: json?["code"]?.stringValue ?? "camera_stopped",
            message: json?["message"]?.stringValue ?? "The camera's stream stopped. Start it again.")
        switch json?["state"]?.stringValue {
        case "streaming": self = .resumed
        case "paused": self = .paused(json?["code"] == nil ? .streamPaused : reason)
        case "stopped": self = .ended(reason)
        default: return nil
        }
    }
}

extension CaptureError {
    /// A failed camera request, in the plugin's own words where it gave some.
    init(_ failure: PluginFailureReport) {
        switch failure.result {
        case .denied: self = .permissionDenied
        case .wrongState: self = .notConnected
        default: self.init(code: failure.code, message: failure.message)
        }
    }

    /// The documented case for a plugin's code, where there is one.
    init(code: String, message: String) {
        switch code {
        case "permission_denied": self = .permissionDenied
        case "hinges_closed": self = .hingesClosed
        case "thermal_critical": self = .thermalCritical
        case "stream_paused": self = .streamPaused
        default: self = .platformError(code: code, message: message)
        }
    }
}
