import Foundation
import GlassesCore
import TestProcess
import Testing

@Suite("The program's recordings, with the virtual device")
struct RecordProgramTests {
    private let root = NSTemporaryDirectory() + "record-" + UUID().uuidString

    @Test("a recording of a second plays for a second, with sound, and says where it is")
    func second() async throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let file = root + "/clip.mp4"
        let outcome = try await GlassesProgram.run([
            "record", "--device", "null", "--resolution", "low", "--seconds", "1", "--json", "--out", file,
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let events = try outcome.events()
        let recording = try #require(events.named("recording").first)
        #expect(recording["frameRate"] == 24 && recording["resolution"] == "low")
        let clip = try #require(events.named("clip").first)
        #expect(clip["path"] == .string(file))
        #expect(clip["width"] == 360 && clip["height"] == 640)
        // The virtual camera is paced in real time; on a busy machine some of its frames are late.
        let milliseconds = try #require(clip["durationMs"]?.intValue)
        #expect((500...1_100).contains(milliseconds))
        let decoded = try await TestProcess(
            "/usr/bin/ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-f", "null", "-"]
        ).run()
        #expect(decoded.code == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
        let streams = try await TestProcess(
            "/usr/bin/ffprobe", ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", file]
        ).run()
        #expect(Set(streams.lines) == ["video", "audio"])
        try FileManager.default.removeItem(atPath: root)
    }

    @Test("a file that cannot be written ends the recording with its reason")
    func unwritable() async throws {
        let outcome = try await GlassesProgram.run([
            "record", "--device", "null", "--seconds", "1", "--json", "--out", root + "/none/clip.mp4",
        ])
        #expect(outcome.code == 3)
        #expect(try outcome.events().named("error").first?["code"] == "not_writable")
    }
}
