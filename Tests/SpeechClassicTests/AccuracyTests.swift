import GlassesDomain
import SpokenSamples
import Testing
import WordErrors

extension SpeechClassicTests {
    /// The acceptance figures: words wrong, printed as a table.
    @Suite struct AccuracyTests {
        @Test func commandsSpokenByFliteAreHeardWithAtMostTwoWordsWrong() async throws {
            let voice = try await ClassicEngines.synthesizer()
            var recordings: [Recording] = []
            for words in Recordings.commands {
                recordings.append(
                    Recording(name: "flite slt", words: words, samples: try await voice.samples(of: words)))
            }
            #expect(try await wordsWrong(in: recordings).errors <= 2)
            await voice.shutdown()
        }

        @Test func commandsSpokenByFestivalAreHeardWithAtMostThreeWordsWrong() async throws {
            #expect(try await wordsWrong(in: try Recordings.festival()).errors <= 3)
        }

        /// People reading cards, numbers and a novel: no promise is made, but a broken recogniser would show.
        @Test func peopleAreHeardWithLessThanHalfOfTheWordsWrong() async throws {
            let recordings = try Recordings.human()
            #expect(recordings.count == 14)
            let total = try await wordsWrong(in: recordings)
            #expect(total.errors * 2 < total.words)
        }

        /// Recognises in order on one new engine and prints a line for each recording and their sum.
        private func wordsWrong(in recordings: [Recording]) async throws -> WordErrorRate {
            let recognizer = try await ClassicEngines.recognizer()
            var total = WordErrorRate()
            for recording in recordings {
                let clock = ContinuousClock()
                var result = RecognitionResult(text: "", confidence: 0)
                let took = try await clock.measure { result = try await recognizer.recognize(recording.samples) }
                let rate = WordErrorRate(reference: recording.words, heard: result.text)
                total += rate
                let milliseconds = took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000
                print("\(recording.name): \(rate) wrong, \(milliseconds) ms: \(recording.words) -> \(result.text)")
            }
            print("\(recordings.first?.name ?? ""), all \(recordings.count): \(total) words wrong")
            await recognizer.shutdown()
            return total
        }
    }
}
