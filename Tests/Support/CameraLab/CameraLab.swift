import Foundation
import GlassesDomain
import GlassesPluginHost

/// A host process of the system device's camera, which a test can run with a library before all others.
///
/// `camera-lab inProcess|process SETTINGS STEP…` prints a line for everything that happens. Steps:
/// `modes`, `cameras`; `open:FORMAT:WxH@R:N` streams until N frames came; `kill:FORMAT:WxH@R:N` the same, with the child killed after
/// half of them; `abandon:FORMAT:WxH@R:N` leaves the stream open, and `ended` waits for its end; `remove:PATH`; `wait:MS`.
enum CameraLab {
    static func run(_ arguments: [String]) async -> Int32 {
        guard arguments.count >= 2, let settings = try? JSONValue(jsonText: Array(arguments[1].utf8)) else { return 2 }
        let lab = LabDevice(settings, isolation: arguments[0] == "process" ? .process : .inProcess)
        guard await lab.load() else { return 1 }
        for step in arguments.dropFirst(2) {
            let words = step.split(separator: ":").map(String.init)
            switch (words[0], words.count) {
            case ("modes", 1): await lab.printModes()
            case ("cameras", 1): await lab.printCameras()
            case ("wait", 2): try? await Task.sleep(for: .milliseconds(Int(words[1]) ?? 0))
            case ("remove", 2): guard unlink(words[1]) == 0 else { return 1 }
            case ("ended", 1): await lab.waitForEnd()
            case ("open", 4), ("kill", 4), ("abandon", 4):
                guard let mode = CameraMode(format: words[1], size: words[2]), let count = Int(words[3]) else {
                    return 2
                }
                await lab.stream(mode, count: count, kills: words[0] == "kill", closes: words[0] != "abandon")
            default: return 2
            }
        }
        await lab.unload()
        print("done")
        return 0
    }
}

extension CameraMode {
    /// A mode from `i420` and `640x480@30`.
    fileprivate init?(format: String, size: String) {
        let numbers = size.split(whereSeparator: { $0 == "x" || $0 == "@" }).compactMap { Int($0) }
        guard let format = CameraPixelFormat(rawValue: format), numbers.count == 3 else { return nil }
        self.init(format: format, width: numbers[0], height: numbers[1], frameRate: numbers[2])
    }
}
