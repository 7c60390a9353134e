import GlassesDomain
import Testing

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

@Suite struct WordErrorRateTests {
    @Test(arguments: [
        ("what do you see", "What do you see?", 0, 4), ("take a picture", "take the picture", 1, 3),
        ("stop listening", "", 2, 2), ("stop", "please stop it", 2, 1), ("it's five", "its five", 1, 2),
    ])
    func substitutedMissingAndAddedWordsCountOnce(reference: String, heard: String, errors: Int, words: Int) {
        let rate = WordErrorRate(reference: reference, heard: heard)
        #expect(rate.errors == errors)
        #expect(rate.words == words)
    }
}
