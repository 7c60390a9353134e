import Foundation
import GlassesAudio
import SoundServer
import Testing

/// A sentence spoken into a WAV file by this build's own voice, at 24 kHz unless another rate is wanted.
enum SpokenFile {
    static func make(_ sentence: String, in folder: URL, rate: Int = 24_000) async throws -> String {
        let name = "speech-\(UInt32.random(in: .min ... .max))"
        let spoken = folder.appending(path: "\(name)-engine.wav")
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "glasses").path
        let process = try ChildProcess(program, ["say", "--output", spoken.path, sentence])
        let deadline = ContinuousClock.now + .seconds(30)
        while !process.hasEnded, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        try #require(process.hasEnded && process.wait() == 0, "glasses say writes \(sentence)")
        let audio = try WAVReader.read([UInt8](Data(contentsOf: spoken)))
        let resampler = try Resampler(inputRate: audio.sampleRate, outputRate: rate)
        let samples = resampler.process(try audio.mono()) + resampler.flush()
        let file = folder.appending(path: "\(name).wav")
        try Data(try WAVWriter.file(samples: samples, sampleRate: rate)).write(to: file)
        return file.path
    }
}
