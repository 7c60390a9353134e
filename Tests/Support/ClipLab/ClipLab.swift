import FramePattern
import Foundation
import GlassesDomain
import GlassesMedia

/// Records clips for tests that let a process die, or its disk be full.
@main
struct ClipLab {
    private static let (width, height, frameRate, soundRate) = (320, 240, 30, 16_000)

    /// `record FILE` records until it is killed and says each second that it did. `limited FILE BYTES` records into a file that may not
    /// grow further, and says what came of it.
    static func main() {
        let arguments = CommandLine.arguments
        do {
            switch arguments.dropFirst().first {
            case "record" where arguments.count == 3: try record(to: arguments[2])
            case "limited" where arguments.count == 4:
                try recordLimited(to: arguments[2], bytes: UInt(arguments[3]) ?? 0)
            default: exit(2)
            }
        } catch {
            say("error \(error)")
            exit(1)
        }
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static func begin(_ path: String) throws -> any ClipWriter {
        try MP4ClipRecorder().begin(
            ClipPlan(path: path, format: .mp4H264, frameRate: frameRate, soundRate: soundRate))
    }

    private static func add(_ number: Int, to writer: any ClipWriter) throws {
        let time = MonotonicTime(nanoseconds: Int64(number) * 1_000_000_000 / Int64(frameRate))
        let picture = FrameNumberPattern.picture(
            number: UInt32(number), flash: number % frameRate == 0, width: width, height: height)
        let planes = [
            CameraPlane(offset: 0, stride: width), CameraPlane(offset: width * height, stride: width / 2),
            CameraPlane(offset: width * height * 5 / 4, stride: width / 2),
        ]
        try writer.add(
            CameraFrame(
                bytes: picture, format: .i420, width: width, height: height, rotation: 0, planes: planes, time: time,
                number: UInt64(number)))
        let samples = (0..<(soundRate / frameRate)).map { Int16(truncatingIfNeeded: $0 * 97 % 4_001 - 2_000) }
        try writer.addSound(samples, at: time)
    }

    private static func record(to path: String) throws {
        let writer = try begin(path)
        var number = 0
        while true {
            try add(number, to: writer)
            number += 1
            if number % frameRate == 0 { say("second \(number / frameRate)") }
        }
    }

    private static func recordLimited(to path: String, bytes: UInt) throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(3) }
        let writer = try begin(path)
        do {
            for number in 0..<3_000 { try add(number, to: writer) }
        } catch MediaError.writeFailed(let code, _) {
            say("failed \(code)")
        }
        let clip = try writer.finish()
        say("clip \(clip.durationMs)")
    }
}
