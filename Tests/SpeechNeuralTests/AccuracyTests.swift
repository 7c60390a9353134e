import GlassesDomain
import SpokenSamples
import Testing
import WordErrors

extension SpeechNeuralTests {
    /// The acceptance figures: words wrong, printed as a table.
    @Suite struct AccuracyTests {
        @Test func commandsSpokenByFestivalAreHeardWithAtMostOneWordWrong() async throws {
            let total = try await wordsWrong(in: try Recordings.festival())
            #expect(total.words == 23)
            #expect(total.errors <= 1)
        }

        @Test func peopleAreHeardWithAtMostEightPercentOfTheWordsWrong() async throws {
            let recordings = try Recordings.human()
            #expect(recordings.count == 14)
            #expect(try await wordsWrong(in: recordings).fraction <= 0.08)
        }

        /// Recognises in order on one new engine and prints a line for each recording and their sum.
        private func wordsWrong(in recordings: [Recording]) async throws -> WordErrorRate {
            let recognizer = try await NeuralEngines.recognizer()
            var total = WordErrorRate()
            for recording in recordings {
                let clock = ContinuousClock()
                var result = RecognitionResult(text: "", confidence: 0)
                let took = try await clock.measure { result = try await recognizer.recognize(recording.samples) }
                let rate = WordErrorRate(reference: recording.words, heard: result.text)
                total += rate
                print(
                    "\(recording.name): \(rate) wrong, \(took), \(result.confidence): \(recording.words) -> \(result.text)"
                )
            }
            print("\(recordings.first?.name ?? ""), all \(recordings.count): \(total) words wrong")
            await recognizer.shutdown()
            return total
        }
    }
}
