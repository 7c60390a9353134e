import Foundation
import GlassesAudio
import GlassesDomain
import GlassesPluginHost
import SoundServer

/// The speech engines as a test uses them: to speak to the assistant, and to listen to what it says.
struct SpokenTestVoice {
    private let voice: any TextToSpeechEngine
    private let ears: any SpeechToTextEngine

    /// The installed engines; fails when there are none.
    init() async throws {
        let host = PluginHost()
        voice = try await host.textToSpeech(id: "org.extentos.speech-classic").get()
        ears = try await host.speechToText(id: "org.extentos.speech-classic").get()
    }

    /// `text` as speech at 48 kHz, with silence around it.
    func speech(_ text: String) async throws -> [Int16] {
        var samples: [Int16] = []
        for try await block in voice.synthesize(text, voice: nil, rate: 1, pitch: 0) { samples += block.samples }
        let resampler = try Resampler(inputRate: voice.sampleRate, outputRate: 48_000)
        let silence = [Int16](repeating: 0, count: 24_000)
        return silence + resampler.process(samples) + resampler.flush() + silence
    }

    /// `samples` in a file that a ``FaultPCM`` hears as its source; answers its path.
    func recording(_ samples: [Int16]) throws -> String {
        let file = SoundLab.folder.appendingPathComponent("speech-\(UUID().uuidString)")
        try samples.withUnsafeBytes { try Data($0).write(to: file) }
        return file.path
    }

    /// The words in a recording at 48 kHz, utterance by utterance.
    func words(in recording: [Int16]) async throws -> [String] {
        let resampler = try Resampler(inputRate: 48_000, outputRate: ears.sampleRate)
        var detector = try UtteranceDetector(sampleRate: ears.sampleRate)
        let found = detector.process(resampler.process(recording) + resampler.flush()) + detector.finish()
        var words: [String] = []
        var utterance: (any SpeechToTextUtterance)?
        for event in found {
            switch event {
            case .speechStarted(_, let audio):
                utterance = ears.start { _ in }
                _ = utterance?.push(audio)
            case .speechContinued(let audio): _ = utterance?.push(audio)
            case .speechPaused, .speechResumed, .judgeLost: break
            case .speechStopped:
                if let text = try await utterance?.finish().text, !text.isEmpty { words.append(text) }
                utterance = nil
            }
        }
        return words
    }

    /// Ends the engines.
    func shutdown() async {
        await voice.shutdown()
        await ears.shutdown()
    }
}
