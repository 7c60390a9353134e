import Foundation
@_spi(ExtentosTools) import GlassesCore
import GlassesDomain

/// The one file that `--out` names, as the place of captures.
final class NamedCapture: CaptureFolder {
    private let path: String

    /// A file at an absolute path, which must not exist yet.
    init(path: String) { self.path = path }

    func store(_ file: Data, suffix: String) throws(MediaError) -> String {
        try NewFile.write(file, to: path)
        return path
    }

    func newPath(suffix: String) throws(MediaError) -> String { path }
}

/// `--out`.
struct CaptureTarget: Sendable, Hashable {
    /// The absolute path; nil for a file of its own in the user's cache.
    let path: String?

    init(_ arguments: ParsedArguments, _ option: OptionSpec) throws(UsageError) {
        guard let text = arguments.text(option.name) else {
            path = nil
            return
        }
        guard !text.isEmpty else { throw arguments.error("\(option.name) needs a file") }
        let path = AbsolutePath.of(text)
        // What somebody has taken before is never replaced.
        if FileManager.default.fileExists(atPath: path) {
            throw arguments.error("\(text) exists already; choose another name")
        }
        self.path = path
    }

    /// Where captures go; nil for the user's cache.
    var folder: (any CaptureFolder)? { path.map(NamedCapture.init) }
}

extension Resolution {
    static let option = OptionSpec(
        "--resolution", .choice(["low", "medium", "high"]),
        help: "About 360 by 640, 504 by 896 (the default) or 720 by 1280 pixels; the camera's nearest size is taken.")

    /// The size class that the option names.
    init(_ arguments: ParsedArguments) {
        switch arguments.text(Self.option.name) {
        case "low": self = .low
        case "high": self = .high
        default: self = .medium
        }
    }
}
