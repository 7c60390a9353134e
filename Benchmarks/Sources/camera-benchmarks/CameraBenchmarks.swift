import Foundation
import GlassesDomain
import GlassesPluginHost

/// Streams the test pattern, 720×1280 at 30 a second, through a child and back, and compares it with copying as many bytes.
///
/// Needs glasses-plugin-host and glasses-plugin-probe beside it or named by their variables.
@main
enum CameraBenchmarks {
    private static let mode = CameraMode(format: .i420, width: 720, height: 1_280, frameRate: 30)

    static func main() async {
        guard let options = Options(CommandLine.arguments) else {
            FileHandle.standardError.write(Data("Usage: camera-benchmarks LIBRARY SECONDS [MINUTES]\n".utf8))
            exit(2)
        }
        for isolation in [PluginIsolation.inProcess, .process] {
            guard let run = await CameraRun.run(options.library, isolation, mode, seconds: options.seconds) else {
                FileHandle.standardError.write(Data("the camera could not be started\n".utf8))
                exit(1)
            }
            print("\(isolation == .process ? "child" : "in process"): \(run.text)")
        }
        let bytes = mode.width * mode.height * 3 / 2
        print("memcpy of one picture, \(bytes) bytes: \(CopyTimes.measure(bytes: bytes, count: 300).text)")
        guard let photos = await PhotoRun.run(options.library, count: 200) else {
            FileHandle.standardError.write(Data("no photo could be taken\n".utf8))
            exit(1)
        }
        print(photos)
        if let minutes = options.minutes {
            guard let memory = await MemoryRun.run(options.library, mode, minutes: minutes) else { exit(1) }
            print(memory)
        }
    }
}

/// What the command line says.
private struct Options {
    let library: String
    let seconds: Double
    let minutes: Int?

    init?(_ arguments: [String]) {
        guard (3...4).contains(arguments.count), let seconds = Double(arguments[2]), seconds > 0 else { return nil }
        library = arguments[1]
        self.seconds = seconds
        minutes = arguments.count == 4 ? Int(arguments[3]) : nil
        if arguments.count == 4, minutes.map({ $0 < 3 }) ?? true { return nil }
    }
}
