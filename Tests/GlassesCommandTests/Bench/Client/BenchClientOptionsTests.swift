import Foundation
import GlassesCore
import Testing

@testable import glasses

@Suite("Bench client's options")
struct BenchClientOptionsTests {
    private static let complete = [
        "--url", "ws://127.0.0.1:9/v1/realtime", "--mic", "mic.wav", "--seconds", "1.5", "--report", "out.json",
    ]

    private func options(_ arguments: [String]) throws -> BenchClientOptions {
        guard case .run(let parsed) = try ArgumentParser.parse(arguments, for: BenchClientCommand.spec) else {
            throw UsageError("help")
        }
        return try BenchClientOptions(parsed)
    }

    @Test("the five options are read, and one session is held unless more are asked for")
    func everything() throws {
        let one = try options(Self.complete)
        #expect(one.endpoint.absoluteString == "ws://127.0.0.1:9/v1/realtime")
        #expect(one.microphone == "mic.wav")
        #expect(one.report == "out.json")
        #expect(one.sessions == 1)
        #expect(one.ticks == 75)
        #expect(try options(Self.complete + ["--sessions", "20"]).sessions == 20)
    }

    @Test("a missing option is named", arguments: ["--url", "--mic", "--seconds", "--report"])
    func missing(_ name: String) throws {
        let index = try #require(Self.complete.firstIndex(of: name))
        var arguments = Self.complete
        arguments.removeSubrange(index...index + 1)
        let error = #expect(throws: UsageError.self) { try options(arguments) }
        #expect(error?.message.hasPrefix(name) == true)
        #expect(error?.message.hasSuffix("is missing") == true)
    }

    @Test(
        "a value that cannot be meant is refused",
        arguments: [
            ["--url", "http-server", "--mic", "m", "--seconds", "1", "--report", "r"],
            ["--url", "ws://host:1", "--mic", "m", "--seconds", "0", "--report", "r"],
            Self.complete + ["--sessions", "0"], Self.complete + ["--sessions", "1.5"],
            Self.complete + ["--sessions", "1001"],
        ])
    func refused(_ arguments: [String]) { #expect(throws: UsageError.self) { try options(arguments) } }

    @Test(
        "a microphone file of another rate, with two channels or without a whole frame is refused with the reason",
        arguments: [(48_000, 1, 4_800, "48000"), (24_000, 2, 4_800, "2 channels"), (24_000, 1, 479, "shorter")])
    func microphoneFile(_ rate: Int, _ channels: Int, _ samples: Int, _ word: String) {
        let file = [Int16](repeating: 0, count: samples)
        let problem = #expect(throws: Problem.self) {
            try BenchMicrophoneFile(file, sampleRate: rate, channels: channels, path: "mic.wav")
        }
        #expect(problem?.sentence.contains(word) == true)
        #expect(problem?.sentence.contains("mic.wav") == true)
    }

    @Test("a microphone file is cut into whole frames")
    func frames() throws {
        let samples = (0..<1_000).map(Int16.init)
        let frames = try BenchMicrophoneFile(samples, sampleRate: 24_000, channels: 1, path: "mic.wav").frames
        #expect(frames == [Array(samples[..<480]), Array(samples[480..<960])])
    }
}
