import Foundation
import GlassesDomain
import SpokenSamples
import Testing
import WordErrors

extension SpeechClassicTests {
    @Suite struct SynthesisTests {
        @Test func theFirstSoundOfALongTextComesBeforeTheTextIsSpoken() async throws {
            let voice = try await ClassicEngines.synthesizer()
            let text = String(repeating: "This sentence is one of very many that follow. ", count: 100)
            let clock = ContinuousClock()
            let begin = clock.now
            var first: Duration?
            var frames = 0
            for try await block in voice.synthesize(text, voice: nil, rate: 1, pitch: 0) {
                if first == nil { first = clock.now - begin }
                frames += block.samples.count
            }
            let whole = clock.now - begin
            #expect(frames > 100 * 16_000)
            #expect(try #require(first) * 5 < whole)
            await voice.shutdown()
        }

        @Test func aCancelledTextOf64KiBEndsEarlyAndTheNextIsSpoken() async throws {
            let voice = try await ClassicEngines.synthesizer()
            let sentence = "Words without end are spoken here, and nobody waits for them. "
            let text = String(String(repeating: sentence, count: 1_100).prefix(65_536))
            #expect(text.utf8.count == 65_536)
            var blocks = 0
            for try await _ in voice.synthesize(text, voice: nil, rate: 1, pitch: 0) {
                blocks += 1
                if blocks == 3 { break }
            }
            let clock = ContinuousClock()
            let begin = clock.now
            let next = try await voice.samples(of: "stop")
            let took = clock.now - begin
            #expect(next.count > 4_000)
            // All of the text would take half a minute on an idle machine.
            #expect(took < .seconds(10))
            await voice.shutdown()
        }

        @Test func moreThan64KiBIsRefused() async throws {
            let voice = try await ClassicEngines.synthesizer()
            await #expect(throws: SpeechEngineError.self) {
                try await voice.samples(of: String(repeating: "a", count: 65_537))
            }
            await voice.shutdown()
        }

        @Test(arguments: ["", " \n\t ", "\u{1}\u{2}\u{7F}\u{1B}", "😀🎉", "漢字かな", "...", "---", "\"\"''()"])
        func aTextWithoutWordsEndsWithoutSound(text: String) async throws {
            let voice = try await ClassicEngines.synthesizer()
            #expect(try await voice.samples(of: text).isEmpty)
            await voice.shutdown()
        }

        @Test(arguments: [
            "Hello 😀 world", "naïve café", "tab\tand\u{0}nul", "<speak>tag</speak>", "%s %n %d", "\\ / | ~ ^ `",
            "a.b.c.d", "'''", "$$$ 5", "1/0", "999999999999999999999999999999", "https://example.org/?q=1&r=2",
            "- item one\n- item two\n\n* three", "UPPER CASE ONLY", "don't “quote” — dash…",
        ])
        func oddSignsAreSpokenOrLeftOut(text: String) async throws {
            let voice = try await ClassicEngines.synthesizer()
            let samples = try await voice.samples(of: text)
            #expect(samples.count < 60 * 16_000)
            // The engine is in order afterwards.
            #expect(try await voice.samples(of: "yes").contains { $0.magnitude > 1_000 })
            await voice.shutdown()
        }

        @Test func oneWordOf64KiBIsSpokenInPieces() async throws {
            let voice = try await ClassicEngines.synthesizer()
            var frames = 0
            for try await block in voice.synthesize(
                String(repeating: "x", count: 65_536), voice: nil, rate: 1, pitch: 0)
            {
                frames += block.samples.count
                if frames > 16_000 * 30 { break }
            }
            #expect(frames > 16_000 * 30)
            await voice.shutdown()
        }

        /// `heard` are words that the recogniser has to understand; it takes "twelve" of this voice for other words.
        @Test(arguments: [
            ("5 minutes", "five minutes", ["five", "minutes"]),
            ("It is 12:05.", "It is twelve oh five.", ["it", "is", "five"]),
            ("25%", "twenty five percent", ["twenty", "five", "percent"]),
            ("It is 7:30 am", "It is seven thirty a m", ["seven", "thirty"]),
            ("$3.50", "three dollars fifty cents", ["three", "fifty", "cents"]),
        ])
        func numbersAreSpokenAsWords(text: String, words: String, heard: [String]) async throws {
            let (voice, recognizer) = try await (ClassicEngines.synthesizer(), ClassicEngines.recognizer())
            let samples = try await voice.samples(of: text)
            let spelled = try await voice.samples(of: words)
            #expect(abs(samples.count - spelled.count) * 20 < spelled.count)
            // A recogniser that has heard the voice before.
            for command in Recordings.commands.suffix(2) {
                _ = try await recognizer.recognize(try await voice.samples(of: command))
            }
            let understood = WordErrorRate.normalized(try await recognizer.recognize(samples).text)
            print("\(text) -> \(understood)")
            for word in heard { #expect(understood.contains(word)) }
            await voice.shutdown()
            await recognizer.shutdown()
        }

        @Test func aHigherRateShortensAndALowerOneLengthens() async throws {
            let voice = try await ClassicEngines.synthesizer()
            let text = "What is the time in London?"
            let plain = try await voice.samples(of: text).count
            #expect(try await voice.samples(of: text, rate: 2).count * 3 < plain * 2)
            #expect(try await voice.samples(of: text, rate: 0.5).count * 2 > plain * 3)
            // Nothing of it stays behind.
            #expect(try await voice.samples(of: text).count == plain)
            await voice.shutdown()
        }

        @Test func pitchChangesTheSoundAndNotTheLength() async throws {
            let voice = try await ClassicEngines.synthesizer()
            let (low, high) = try await (
                voice.samples(of: "hello there", pitch: -1), voice.samples(of: "hello there", pitch: 1)
            )
            #expect(abs(low.count - high.count) < 1_600)
            #expect(pitchPeriod(of: low) > pitchPeriod(of: high))
            await voice.shutdown()
        }

        /// The lag of the strongest autocorrelation between 60 and 500 Hz.
        private func pitchPeriod(of samples: [Int16]) -> Int {
            let middle = samples[(samples.count / 4)..<(samples.count * 3 / 4)].map(Double.init)
            let sums = (32...266).map { lag in
                (lag, zip(middle, middle.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 })
            }
            return sums.max { $0.1 < $1.1 }?.0 ?? 0
        }

        @Test func everyVoiceSpeaksAndAnUnknownOneIsTheDefault() async throws {
            let voice = try await ClassicEngines.synthesizer()
            #expect(voice.voices == ["cmu_us_slt", "cmu_us_rms", "cmu_us_awb", "cmu_us_kal16"])
            #expect(voice.sampleRate == 16_000)
            var spoken: Set<Int> = []
            for name in voice.voices { spoken.insert(try await voice.samples(of: "hello", voice: name).count) }
            #expect(spoken.count == 4)
            // The excitation is partly random, so only lengths are equal.
            let unknown = try await voice.samples(of: "hello", voice: "nobody").count
            #expect(unknown == (try await voice.samples(of: "hello", voice: "cmu_us_slt").count))
            await voice.shutdown()
        }

        @Test func theChosenVoiceIsTheDefault() async throws {
            let voice = try await ClassicEngines.synthesizer(["voice": "cmu_us_rms"])
            #expect(voice.voices.first == "cmu_us_rms")
            await voice.shutdown()
        }

        @Test func fourSynthesizersAtOnceSpeakEquallyLong() async throws {
            let texts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let voice = try await ClassicEngines.synthesizer()
                        let samples = try await voice.samples(of: "Take a picture. Stop listening.").count
                        await voice.shutdown()
                        return samples
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(texts.count == 4)
            #expect(Set(texts).count == 1)
        }
    }
}
