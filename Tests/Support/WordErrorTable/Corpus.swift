import GlassesAudio
import GlassesDomain
import SpokenSamples

/// Recordings that belong together, as one line of the table.
struct Corpus: Sendable {
    /// Who speaks.
    let name: String
    let recordings: [Recording]

    /// Five commands and seven sentences, 77 words.
    static let sentences =
        Recordings.commands + [
            "what time is it in london", "turn the volume down a little please",
            "send a message to my sister that i am running late", "how far is it to the next train station",
            "read me the last note that i wrote down", "is there any rain coming this evening",
            "tell me what is written on that sign",
        ]

    /// The sentences spoken by a voice of the installed synthesiser.
    static func spoken(by voice: String, named name: String, of engine: any TextToSpeechEngine) async throws -> Corpus {
        guard engine.voices.contains(voice) else { throw WordErrorFailure.noVoice(voice, engine.id) }
        var recordings: [Recording] = []
        for words in sentences {
            var samples: [Int16] = []
            for try await block in engine.synthesize(words, voice: voice, rate: 1, pitch: 0) {
                samples += block.samples
            }
            let resampler = try Resampler(inputRate: engine.sampleRate, outputRate: 16_000)
            recordings.append(
                Recording(name: name, words: words, samples: resampler.process(samples) + resampler.flush()))
        }
        return Corpus(name: name, recordings: recordings)
    }

    /// The sentences spoken by Festival.
    static func festival() throws -> Corpus {
        Corpus(name: "Festival slt", recordings: try Recordings.festival(sentences))
    }

    /// The people of pocketsphinx-testdata.
    static func people() throws -> Corpus { Corpus(name: "14 people", recordings: try Recordings.human()) }

    /// The first five recordings of a corpus of ``sentences``: the commands.
    var commands: Corpus {
        Corpus(name: "\(name), 5 commands", recordings: Array(recordings.prefix(Recordings.commands.count)))
    }
}
