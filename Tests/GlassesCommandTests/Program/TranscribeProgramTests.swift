import Foundation
import GlassesAudio
import GlassesCore
import TestProcess
import Testing

@Suite("glasses transcribe")
struct TranscribeProgramTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transcribe-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func say(_ text: String, to name: String) async throws -> WAVAudio {
        #expect(try await GlassesProgram.run(["say", "--output", path(name), text]).code == 0)
        return try WAVReader.read(Array(try Data(contentsOf: folder.appendingPathComponent(name))))
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    @Test("several files give a line each, and one that fails is named and stops no other")
    func severalFiles() async throws {
        let speech = try await say("what time is it", to: "one.wav")
        let silence = [Int16](repeating: 0, count: 2 * speech.sampleRate)
        let stereo = (silence + speech.samples + silence).flatMap { [$0, $0 / 2] }
        try write(try WAVWriter.file(samples: stereo, sampleRate: speech.sampleRate, channels: 2), to: "two.wav")
        try write(Array("This is no sound.".utf8), to: "bad.wav")
        let outcome = try await GlassesProgram.run(
            ["transcribe"] + ["one.wav", "bad.wav", "missing.wav", "two.wav"].map(path))
        #expect(outcome.code == 1)
        #expect(outcome.lines == ["one.wav", "two.wav"].map { "\(path($0)): what time is it" })
        #expect(outcome.errors.contains("recognised by org.extentos."))
        #expect(outcome.errors.contains("\(path("bad.wav")) cannot be recognised. The file is not a RIFF/WAVE file."))
        #expect(outcome.errors.contains("\(path("missing.wav")) cannot be recognised. No such file or directory."))
        try FileManager.default.removeItem(at: folder)
    }

    @Test("JSON has an object for each file, a cut one with what is left and a bad one with its error")
    func json() async throws {
        let speech = try await say("stop listening", to: "whole.wav")
        let whole = try WAVWriter.file(samples: speech.samples, sampleRate: speech.sampleRate)
        try write(Array(whole.dropLast(200)), to: "cut.wav")
        let outcome = try await GlassesProgram.run(
            ["transcribe", "--json", "--vad", "energy"] + ["whole.wav", "cut.wav", "."].map(path))
        #expect(outcome.code == 1)
        let reports = try outcome.events()
        try #require(reports.count == 3)
        for report in reports.prefix(2) {
            #expect(report["text"] == "stop listening")
            #expect(report["engine"]?.stringValue?.hasPrefix("org.extentos.") == true)
            #expect(report["voiceActivity"] == "energy")
            let seconds = try #require(report["seconds"]?.doubleValue)
            #expect(abs(seconds - Double(speech.frames) / Double(speech.sampleRate)) < 0.01)
            #expect((0...1).contains(try #require(report["confidence"]?.doubleValue)))
            #expect(report["utterances"]?.arrayValue?.count == 1)
        }
        #expect(reports[0]["truncated"] == nil)
        #expect(reports[1]["truncated"] == true)
        #expect(reports[2]["error"]?["code"] == "recording_is_folder")
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a recording from a pipe is written down line by line, whatever its length and its sizes")
    func pipe() async throws {
        let speech = try await say("take a picture", to: "speech.wav")
        let rate = speech.sampleRate
        // Eleven minutes, with speech at both ends.
        let pause = [Int16](repeating: 0, count: 5 * rate)
        try write(WAVWriter(sampleRate: rate).openingHeader, to: "head")
        try write(PCMBlock(samples: pause + speech.samples + pause, sampleRate: rate).littleEndianBytes, to: "speech")
        let line = #"""
            (cat head speech; head -c "$2" /dev/zero; cat speech) | "$0" transcribe "$1"
            """#
        var process = TestProcess(
            "/bin/bash", ["-c", "cd '\(folder.path)' && " + line, GlassesProgram.path, "-", "\(2 * rate * 640)"])
        process.environment = GlassesProgram.environment
        process.limit = .seconds(180)
        let outcome = try await process.run()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.lines == ["take a picture", "take a picture"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a detector that is not installed is refused by its name, and no other takes its place")
    func missingDetector() async throws {
        try write([], to: "a.wav")
        let outcome = try await GlassesProgram.run(["transcribe", "--vad", "org.example.none", path("a.wav")])
        #expect(outcome.code == 3)
        #expect(outcome.lines.isEmpty)
        #expect(outcome.errors.contains("org.example.none"))
        #expect(outcome.errors.contains("glasses plugins list"))
        try FileManager.default.removeItem(at: folder)
    }

    @Test("an engine that is not installed is refused with those that are")
    func unknownEngine() async throws {
        let outcome = try await GlassesProgram.run(["transcribe", "--engine", "org.example.none", path("a.wav")])
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("The plugin org.example.none is not installed"))
        #expect(outcome.errors.contains("Installed recognisers: org.extentos."))
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a signal ends a read from a pipe that nobody writes to")
    func signal() async throws {
        var process = TestProcess("/bin/bash", ["-c", #"exec 3<> "$1"; exec "$0" transcribe - <&3 2>&1"#])
        let fifo = path("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        process.arguments += [GlassesProgram.path, fifo]
        process.environment = GlassesProgram.environment
        process.signals = ([SIGINT], after: "recognised by")
        let start = ContinuousClock.now
        let outcome = try await process.run()
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("stopped before all was recognised"))
        #expect(ContinuousClock.now - start < .seconds(30))
        try FileManager.default.removeItem(at: folder)
    }

    @Test(
        "a wrong call is refused",
        arguments: [(["-", "-"], "- can be given once"), (["--engine=", "a.wav"], "--engine needs a plugin's id")])
    func usage(_ arguments: [String], _ message: String) async throws {
        let outcome = try await GlassesProgram.run(["transcribe"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message))
        try FileManager.default.removeItem(at: folder)
    }
}
