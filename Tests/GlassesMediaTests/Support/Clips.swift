import FramePattern
import Foundation
import GlassesDomain
import TestProcess
import Testing

/// A folder of a test's own, removed at its end.
final class ClipFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "clips-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
    }

    func file(_ name: String) -> String { path + "/" + name }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path) } }
}

/// A clip as ffmpeg sees it.
struct DecodedClip {
    /// The luma of each picture, turned as a player turns it.
    var pictures: [[UInt8]]
    /// Mono at 48 kHz, from the moment of the first picture.
    var sound: [Int16]

    /// Decodes a clip, which may not make ffmpeg complain. Times that are not `areRegular` are kept as they are, which ffmpeg does
    /// not do by itself: it would put them on the grid of their mean rate.
    init(_ path: String, width: Int, height: Int, hasSound: Bool, areRegular: Bool = true) async throws {
        let times = areRegular ? [] : ["-vsync", "passthrough", "-enc_time_base", "1:90000"]
        let check = try await Self.ffmpeg(["-i", path] + times + ["-f", "null", "-"])
        #expect(check.code == 0 && check.errors == "", "\(check.errors)")
        let raw = path + ".yuv"
        let video = try await Self.ffmpeg(
            ["-i", path, "-map", "0:v", "-vsync", "passthrough", "-pix_fmt", "gray", "-f", "rawvideo", raw])
        #expect(video.code == 0, "\(video.errors)")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        try FileManager.default.removeItem(atPath: raw)
        #expect(bytes.count % (width * height) == 0)
        pictures = stride(from: 0, to: bytes.count, by: width * height).map { Array(bytes[$0..<($0 + width * height)]) }
        sound = []
        if hasSound {
            let pcm = path + ".pcm"
            let audio = try await Self.ffmpeg(
                [
                    "-i", path, "-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "48000", "-f",
                    "s16le", pcm,
                ])
            #expect(audio.code == 0, "\(audio.errors)")
            let data = try Data(contentsOf: URL(fileURLWithPath: pcm))
            try FileManager.default.removeItem(atPath: pcm)
            sound = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        }
    }

    /// The numbers drawn in the pictures.
    func numbers(width: Int, height: Int) -> [UInt32?] {
        pictures.map { FrameNumberPattern.read(luma: $0, width: width, height: height, stride: width) }
    }

    private static func ffmpeg(_ arguments: [String]) async throws -> TestProcess.Outcome {
        try await TestProcess("/usr/bin/ffmpeg", ["-nostdin", "-y", "-v", "error"] + arguments).run()
    }
}

/// What ffprobe says of a clip.
struct ProbedClip {
    var values: [String: String] = [:]

    /// Asks for `entries` of a stream, such as `v:0`, or with nil of the file.
    init(_ path: String, stream: String?, _ entries: String) async throws {
        let of =
            stream.map { ["-select_streams", $0, "-show_entries", "stream=" + entries] } ?? [
                "-show_entries", "format=" + entries,
            ]
        let outcome = try await TestProcess(
            "/usr/bin/ffprobe", ["-v", "error"] + of + ["-of", "default=noprint_wrappers=1", path]
        ).run()
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        for line in outcome.lines {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
    }

    subscript(name: String) -> String? { values[name] }
}

/// Sound of a tone.
enum Tone {
    static func samples(_ count: Int, rate: Int, frequency: Double = 1_000) -> [Int16] {
        (0..<count).map { Int16(12_000 * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    /// The first sample that is louder than what silence decodes to.
    static func onset(in samples: [Int16]) -> Int? { samples.firstIndex { abs(Int($0)) > 2_000 } }
}
