import GlassesPluginKit

/// What the setting `camera` asks for.
package enum CameraChoice: Sendable, Equatable {
    /// The first camera that can be used; without one the device has none.
    case automatic
    /// No camera.
    case none
    /// The test pattern.
    case pattern
    /// The pictures of a file or a folder.
    case pictures(path: String)
    /// A camera by its stable name, or by where it is now.
    case named(String)

    /// A path is at most this long, a name is shorter.
    private static let longestText = 4_096
    private static let pathPrefix = "file:"

    /// Reads `auto` (also for nil), `none`, `pattern`, `file:PATH` with an absolute path, or a name.
    package init(_ text: String?) throws(PluginFailure) {
        let text = text ?? "auto"
        guard !text.isEmpty, text.utf8.count <= Self.longestText, !text.utf8.contains(0) else { throw .invalidCamera }
        switch text {
        case "auto": self = .automatic
        case "none": self = .none
        case "pattern": self = .pattern
        default:
            guard text.hasPrefix(Self.pathPrefix) else {
                self = .named(text)
                return
            }
            let path = String(text.dropFirst(Self.pathPrefix.count))
            guard path.hasPrefix("/") else { throw .relativePictures }
            self = .pictures(path: path)
        }
    }

    /// Whether it depends on the cameras that this machine has; others need not be looked for.
    package var isAboutDevices: Bool {
        switch self {
        case .automatic, .named: true
        case .none, .pattern, .pictures: false
        }
    }

    /// The source that it means, nil for none; throws why there is none of what was asked for. `cameras` is what the machine has.
    package func source(
        among cameras: [V4L2Camera], in places: CameraPlaces = CameraPlaces()
    ) throws(PluginFailure) -> (any CameraSource)? {
        switch self {
        case .none: return nil
        case .pattern: return PatternSource()
        case .pictures(let path): return try PictureSource(path: path)
        case .automatic: return cameras.lazy.compactMap { V4L2Source($0, places: places) }.first
        case .named(let name):
            guard let camera = cameras.first(where: { $0.answers(to: name, in: places) }) else {
                throw .cameraNotFound(name)
            }
            if let problem = camera.problem { throw problem }
            guard let source = V4L2Source(camera, places: places) else { throw .cameraModeRefused(name) }
            return source
        }
    }
}

extension PluginFailure {
    fileprivate static let invalidCamera = PluginFailure.invalid(
        "invalid_settings",
        "The setting camera has to be auto, none, pattern, file:PATH, or a camera's name; see 'glasses devices'.")
    fileprivate static let relativePictures = PluginFailure.invalid(
        "invalid_settings", "The setting camera names its file by a path that does not begin with /; write file:/PATH.")
}
