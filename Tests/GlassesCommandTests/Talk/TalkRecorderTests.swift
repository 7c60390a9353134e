import Foundation
import GlassesAudio
import Testing

@testable import glasses

@Suite("Recordings of talk")
struct TalkRecorderTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recorder-\(UUID())").path

    private func read(_ name: String) throws -> WAVAudio {
        try WAVReader.read(Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))))
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("both files are complete and private; a track on which nothing came is an empty file")
    func completeFiles() async throws {
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        let recorder = try TalkRecorder(folder: folder)
        recorder.append([1, 2, 3], sampleRate: 48_000, to: .microphone)
        recorder.append([4], sampleRate: 48_000, to: .microphone)
        #expect(await recorder.finish() == nil)
        let microphone = try read("mic.wav")
        #expect(microphone.samples == [1, 2, 3, 4])
        #expect(microphone.sampleRate == 48_000)
        #expect(!microphone.isUnfinished)
        #expect(try read("speaker.wav").samples.isEmpty)
        #expect(try permissions("\(folder)/mic.wav") == 0o600)
        #expect(try permissions("\(folder)/speaker.wav") == 0o600)
        #expect(try permissions(folder) == 0o700)
    }

    @Test("a file that cannot be written is told once at the end")
    func unwritable() async throws {
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try FileManager.default.createDirectory(atPath: "\(folder)/mic.wav", withIntermediateDirectories: true)
        let recorder = try TalkRecorder(folder: folder)
        recorder.append([1], sampleRate: 16_000, to: .microphone)
        #expect(await recorder.finish()?.contains("mic.wav could not be written") == true)
    }

    @Test("a gap becomes silence, a burst does not")
    func timeline() {
        var timeline = RecordingTimeline(sampleRate: 1_000)
        #expect(timeline.silence(before: 20, at: 0.4) == 0)
        #expect(timeline.silence(before: 20, at: 2) == 1_980)
        #expect(timeline.silence(before: 300, at: 2) == 0)
        #expect(timeline.silence(before: 20, at: 2.3) == 0)
        #expect(timeline.silence(before: 20, at: 3) == 660)
    }
}
