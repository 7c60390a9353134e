import Foundation
import GlassesAudio
import GlassesDomain
import GlassesPluginHost
import SpokenSamples

/// Speech for echo tests at 48 kHz: what an assistant says, and what people say into it.
enum SpeechMaterial {
    private static let sentences = [
        "The weather today is sunny, with a high of twenty two degrees and light winds from the west.",
        "I have set a timer for five minutes, and I will tell you when it rings.",
        "Your keys are in the kitchen, next to the blue lamp on the small table.",
        "You asked me to remember three things: to call your sister, to buy bread and milk, and to water the plants.",
        "It is a quarter past ten. Your next appointment begins in forty five minutes.",
        "The train to the airport leaves from platform seven at twelve minutes past every hour.",
        "In front of you I see a wooden door, a red bicycle, and two people who wait at the corner.",
        "To make the dough, mix the flour with warm water, a spoon of salt, and a little olive oil.",
        "There are four new messages. The first one is from Peter, who wants to know when you arrive.",
        "Tomorrow begins cool and cloudy, but the sun returns by noon and stays until the evening.",
    ]

    private static let spoken = Task { try await synthesised() }

    /// `seconds` of an assistant that speaks without a rest, in the installed synthetic voice.
    static func assistant(seconds: Int) async throws -> [Int16] {
        let spoken = try await spoken.value
        var samples: [Int16] = []
        while samples.count < seconds * 48_000 { samples += spoken }
        return Array(samples.prefix(seconds * 48_000))
    }

    private static func synthesised() async throws -> [Int16] {
        let build = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        configuration.searchPath = PluginSearchPath(entries: [build + "/extentos_SpeechClassic.resources"])
        configuration.cacheFolder = nil
        configuration.probeLimit = .seconds(20)
        let voice = try await PluginHost(configuration: configuration)
            .textToSpeech(id: "org.extentos.speech-classic").get()
        let resampler = try Resampler(inputRate: voice.sampleRate, outputRate: 48_000)
        var samples: [Int16] = []
        for sentence in sentences {
            for try await block in voice.synthesize(sentence, voice: nil, rate: 1, pitch: 0) {
                samples += resampler.process(block.samples)
            }
        }
        await voice.shutdown()
        return scaled(samples + resampler.flush(), peak: 20_000)
    }

    /// Recorded people, each beginning with its first voiced sample.
    static func people() throws -> [[Int16]] {
        try Recordings.human().map { recording in
            let resampler = try Resampler(inputRate: 16_000, outputRate: 48_000)
            return voiced(scaled(resampler.process(recording.samples) + resampler.flush(), peak: 12_000))
        }
    }

    /// `samples` with the loudest of them at `peak`.
    static func scaled(_ samples: [Int16], peak: Double) -> [Int16] {
        let loudest = samples.reduce(1.0) { max($0, abs(Double($1))) }
        return samples.map { Int16(Double($0) * peak / loudest) }
    }

    /// `samples` from where speech begins: the first 20 ms within 20 dB of the loudest. An /h/
    /// before a vowel is weaker: it is not voiced.
    private static func voiced(_ samples: [Int16]) -> [Int16] {
        let powers = stride(from: 0, to: samples.count - 960, by: 960).map { Power.of(samples[$0..<$0 + 960]) }
        let loudest = powers.max() ?? 0
        let first = powers.firstIndex { $0 > loudest / 100 } ?? 0
        return Array(samples[(first * 960)...])
    }
}

/// The mean power of samples.
enum Power {
    static func of(_ samples: ArraySlice<Int16>) -> Double {
        samples.withUnsafeBufferPointer { buffer in
            var sum = 0.0
            for sample in buffer { sum += Double(sample) * Double(sample) }
            return sum / Double(max(buffer.count, 1))
        }
    }

    /// How alike two signals are, from −1 to 1.
    static func likeness(_ left: ArraySlice<Int16>, _ right: ArraySlice<Int16>) -> Double {
        let product = zip(left, right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) } / Double(max(left.count, 1))
        return product / max((of(left) * of(right)).squareRoot(), 1e-9)
    }

    static func decibels(_ power: Double) -> Double { 10 * log10(max(power, 1e-9)) }
}
