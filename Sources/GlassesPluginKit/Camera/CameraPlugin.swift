/// A transport with a camera: frames into a ring, stills by request. Set ``TransportDescription/camera`` too.
public protocol CameraPlugin: TransportPlugin {
    /// Begins a stream of exactly `configuration`, which is one of the description's; a thread of the plugin's own writes
    /// into `ring`. Complete `request` when the first frame is in it, or fail it, within 12 s.
    func startCamera(_ request: PluginRequest, configuration: CameraConfiguration, ring: VideoRing)
        throws(PluginFailure)
    /// Ends the stream; the ring must not be touched after the completion. Within 3 s.
    func stopCamera(_ request: PluginRequest) throws(PluginFailure)
    /// Takes a still of ``CameraDescription/photo``: deliver it and complete `request`, or fail it, within 10 s.
    func takePhoto(_ request: PhotoRequest) throws(PluginFailure)
}

extension CameraPlugin {
    /// Refuses: this camera has no stills of its own, and the host takes one from the stream.
    public func takePhoto(_ request: PhotoRequest) throws(PluginFailure) { throw .unsupported }
}

/// How a camera's frames are stored.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
    /// Three planes: Y, U, V.
    case i420
    /// Two planes: Y, and U and V interleaved.
    case nv12
    /// One plane, two bytes a pixel.
    case yuyv
    /// A whole JPEG file.
    case jpeg
}

/// One way in which a camera can stream.
public struct CameraConfiguration: Sendable, Hashable {
    /// How the frames are stored.
    public var format: PixelFormat
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Frames a second.
    public var frameRate: Int

    /// A configuration.
    public init(format: PixelFormat, width: Int, height: Int, frameRate: Int) {
        self.format = format
        self.width = width
        self.height = height
        self.frameRate = frameRate
    }

    /// The ABI's text, whose values are checked against a description afterwards.
    init(text: String) throws(PluginFailure) {
        let members = try PluginSettings(text: text)
        guard let format = try members.string("format").flatMap(PixelFormat.init(rawValue:)),
            let width = try members.int("width"), let height = try members.int("height"),
            let frameRate = try members.int("frameRate")
        else { throw .invalid("invalid_configuration", "A stream needs format, width, height and frameRate.") }
        self.init(format: format, width: width, height: height, frameRate: frameRate)
    }
}

/// A format and size in which a camera streams, and its frame rates.
public struct CameraFormat: Sendable, Hashable {
    /// How the frames are stored.
    public var format: PixelFormat
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Frames a second, at least one.
    public var frameRates: [Int]

    /// A format.
    public init(format: PixelFormat, width: Int, height: Int, frameRates: [Int]) {
        self.format = format
        self.width = width
        self.height = height
        self.frameRates = frameRates
    }

    /// Whether the camera can stream so.
    public func has(_ configuration: CameraConfiguration) -> Bool {
        configuration.format == format && configuration.width == width && configuration.height == height
            && frameRates.contains(configuration.frameRate)
    }

    var json: PluginJSON {
        [
            "format": .string(format.rawValue), "width": .number(Double(width)), "height": .number(Double(height)),
            "frameRates": .array(frameRates.map { .number(Double($0)) }),
        ]
    }
}

/// How a still is stored.
public enum PhotoFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case heic
}

/// The stills of a camera.
public struct PhotoDescription: Sendable, Hashable {
    /// How they are stored.
    public var format: PhotoFormat
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int

    /// Stills of one kind.
    public init(format: PhotoFormat, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    var json: PluginJSON {
        ["format": .string(format.rawValue), "width": .number(Double(width)), "height": .number(Double(height))]
    }
}

/// The facts of a camera.
public struct CameraDescription: Sendable, Hashable {
    /// What it can stream, at least one.
    public var formats: [CameraFormat]
    /// Its stills; nil when the host takes one from the stream instead.
    public var photo: PhotoDescription?

    /// Facts with the given values.
    public init(formats: [CameraFormat], photo: PhotoDescription? = nil) {
        self.formats = formats
        self.photo = photo
    }

    /// Whether the camera can stream so.
    public func has(_ configuration: CameraConfiguration) -> Bool { formats.contains { $0.has(configuration) } }

    var json: PluginJSON {
        var members: [String: PluginJSON] = ["formats": .array(formats.map(\.json))]
        if let photo { members["photo"] = photo.json }
        return .object(members)
    }
}
