import GlassesAudio
import GlassesDomain

/// Speaks one sentence: the engine's blocks at 24 kHz, no faster than the client reads, and one end. An answer's first sentence
/// begins with its first sound.
struct SentenceSynthesis {
    let id: SentenceID
    let stream: AsyncThrowingStream<PCMBlock, any Error>
    let outbound: OutboundQueue
    let post: @Sendable (PipelineInput) -> Void

    func run() async {
        do {
            try await convert()
            post(.synthesisFinished(id))
        } catch let error as SpeechEngineError {
            post(.synthesisFailed(id, error))
        } catch {
            // The engine's own words may quote the text that it was given.
            let message = "The synthesiser failed. Try again, or choose another engine."
            post(.synthesisFailed(id, SpeechEngineError(code: "engine_failed", message: message)))
        }
    }

    private func convert() async throws {
        var resampler: Resampler?
        var silence = id.index == 0 ? LeadingSilence() : nil
        func deliver(_ converted: [Int16]) {
            let samples = silence?.trim(converted) ?? converted
            if !samples.isEmpty { post(.audioSynthesized(id, samples)) }
        }
        for try await block in stream {
            let converter =
                try resampler ?? Resampler(inputRate: block.sampleRate, outputRate: PipelineLimits.sampleRate)
            resampler = converter
            deliver(converter.process(block.samples))
            if outbound.isFull {
                post(.synthesisHeldBack(id))
                await outbound.waitForRoom()
            }
        }
        if let resampler { deliver(resampler.flush()) }
    }
}
