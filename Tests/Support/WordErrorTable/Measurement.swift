import GlassesDomain
import SpokenSamples
import WordErrors

/// Recognises a corpus in a noise.
struct Measurement {
    let engine: any SpeechToTextEngine
    /// Gets a line for each recording with what was heard.
    var detail: ((String) -> Void)?

    func row(_ corpus: Corpus, _ noise: NoiseCondition) async throws -> WordErrorRow {
        guard engine.sampleRate == 16_000 else { throw WordErrorFailure.wrongRate(engine.id, engine.sampleRate) }
        var rate = WordErrorRate()
        var (audio, processing, failures) = (0.0, Duration.zero, 0)
        for (index, recording) in corpus.recordings.enumerated() {
            let samples = noise.apply(to: recording.samples, seed: UInt64(index + 1))
            var heard = ""
            let start = ContinuousClock.now
            do { heard = try await recognise(samples) } catch {
                failures += 1
                detail?("  \(noise.name), \(recording.name): \(error)")
            }
            processing += ContinuousClock.now - start
            let part = WordErrorRate(reference: recording.words, heard: heard)
            rate += part
            audio += Double(samples.count) / 16_000
            detail?("  \(noise.name), \(recording.name): \(part) wrong: \(recording.words) -> \(heard)")
        }
        return WordErrorRow(
            engine: engine.id, corpus: corpus.name, noise: noise.name, rate: rate, failures: failures, audio: audio,
            processing: processing.seconds)
    }

    private func recognise(_ samples: [Int16]) async throws -> String {
        let utterance = engine.start { _ in }
        for start in stride(from: 0, to: samples.count, by: 320) {
            _ = utterance.push(Array(samples[start..<min(start + 320, samples.count)]))
        }
        return try await utterance.finish().text
    }
}
