import Foundation
import GlassesDomain
import SpokenSamples
import Synchronization
import Testing
import WordErrors

extension SpeechClassicTests {
    @Suite struct DictationTests {
        private static let command = "set a timer for five minutes"

        @Test func soundsWithoutWordsGiveNoText() async throws {
            let recognizer = try await ClassicEngines.recognizer()
            let sounds: [(String, [Int16])] = [
                ("nothing", []), ("one sample", [1]), ("silence", [Int16](repeating: 0, count: 32_000)),
                ("hum", Noises.hum(seconds: 2, amplitude: 1_500)),
                ("soft hiss", Noises.white(seconds: 2, amplitude: 300)),
                ("loud hiss", Noises.white(seconds: 2, amplitude: 1_500)),
                ("soft pink", Noises.pink(seconds: 2, amplitude: 300)),
                ("loud pink", Noises.pink(seconds: 2, amplitude: 3_000)),
                ("gusts", Noises.gusts(seconds: 3, amplitude: 1_500)),
            ]
            for (name, samples) in sounds {
                let result = try await recognizer.recognize(samples)
                #expect(result.text.isEmpty, "\(name)")
                #expect(result.confidence == 0, "\(name)")
            }
            await recognizer.shutdown()
        }

        @Test func wordsAfterNoiseAreStillHeard() async throws {
            let (voice, recognizer) = try await (ClassicEngines.synthesizer(), ClassicEngines.recognizer())
            _ = try await recognizer.recognize(Noises.gusts(seconds: 2, amplitude: 2_000))
            let result = try await recognizer.recognize(try await voice.samples(of: "stop listening"))
            #expect(WordErrorRate(reference: "stop listening", heard: result.text).errors <= 1)
            #expect(result.confidence > 0 && result.confidence <= 1)
            await voice.shutdown()
            await recognizer.shutdown()
        }

        @Test func anOpenUtteranceTellsPartialTextsThatGrow() async throws {
            let (voice, recognizer) = try await (ClassicEngines.synthesizer(), ClassicEngines.recognizer())
            let samples = try await voice.samples(of: "remember that my keys are in the kitchen")
            let partials = Mutex<[String]>([])
            let utterance = recognizer.start { partial in partials.withLock { $0.append(partial.text) } }
            #expect(utterance.push(samples))
            #expect(await eventually { partials.withLock { $0.last?.contains("keys") ?? false } })
            _ = try await utterance.finish()
            #expect(zip(partials.withLock { $0 }, partials.withLock { $0 }.dropFirst()).allSatisfy { $0 != $1 })
            await voice.shutdown()
            await recognizer.shutdown()
        }

        @Test func aCancelledUtteranceEndsAtOnceAndTheNextIsHeard() async throws {
            let (voice, recognizer) = try await (ClassicEngines.synthesizer(), ClassicEngines.recognizer())
            let samples = try await voice.samples(of: Self.command)
            let dropped = recognizer.start { _ in }
            for _ in 0..<20 { #expect(dropped.push(samples)) }
            let ending = Task { await Result(catching: { try await dropped.finish() }).failureCode }
            dropped.cancel()
            #expect(await ending.value == "cancelled")
            let result = try await recognizer.recognize(samples)
            #expect(WordErrorRate(reference: Self.command, heard: result.text).errors <= 2)
            await voice.shutdown()
            await recognizer.shutdown()
        }

        @Test func theNinthOpenUtteranceIsRefusedAndTheEightGoOn() async throws {
            let recognizer = try await ClassicEngines.recognizer()
            let open = (0..<8).map { _ in recognizer.start { _ in } }
            let ninth = recognizer.start { _ in }
            #expect(await Result(catching: { try await ninth.finish() }).failureCode == "engine_busy")
            for utterance in open { #expect(try await utterance.finish().text.isEmpty) }
            await recognizer.shutdown()
        }

        @Test func moreThanAMinuteOfWaitingAudioIsRefused() async throws {
            let recognizer = try await ClassicEngines.recognizer()
            // The first stays open, so that the second's audio waits.
            let first = recognizer.start { _ in }
            #expect(first.push([0]))
            let second = recognizer.start { _ in }
            let minute = [Int16](repeating: 0, count: 59 * 16_000)
            #expect(second.push(minute))
            let third = recognizer.start { _ in }
            #expect(
                await eventually {
                    // The host learns of a refusal with the plugin's answer, so a later block is the one refused.
                    !third.push([Int16](repeating: 0, count: 16_000))
                })
            for utterance in [first, second, third] { utterance.cancel() }
            await recognizer.shutdown()
        }

        @Test func shuttingDownWithOpenUtterancesEndsThemWithinTwoSeconds() async throws {
            let recognizer = try await ClassicEngines.recognizer()
            let utterance = recognizer.start { _ in }
            #expect(utterance.push(Noises.pink(seconds: 50, amplitude: 2_000)))
            let ending = Task { await Result(catching: { try await utterance.finish() }).failureCode }
            let took = await ContinuousClock().measure { await recognizer.shutdown() }
            #expect(took < .seconds(4))
            #expect(await ending.value != nil)
        }

        @Test func twoRecognizersAtOnceHearTheirOwnWords() async throws {
            let voice = try await ClassicEngines.synthesizer()
            let texts = ["take a picture", "stop listening"]
            var heard: [String] = []
            let samples = [try await voice.samples(of: texts[0]), try await voice.samples(of: texts[1])]
            let (one, other) = try await (ClassicEngines.recognizer(), ClassicEngines.recognizer())
            async let first = one.recognize(samples[0])
            async let second = other.recognize(samples[1])
            heard = [try await first.text, try await second.text]
            for (text, words) in zip(texts, heard) {
                #expect(WordErrorRate(reference: text, heard: words).errors <= 1)
            }
            await one.shutdown()
            await other.shutdown()
            await voice.shutdown()
        }

        @Test func aLongUtteranceIsCutInsideAndKeepsItsWords() async throws {
            let (voice, recognizer) = try await (ClassicEngines.synthesizer(), ClassicEngines.recognizer())
            let sentence = try await voice.samples(of: "please remember that my keys are in the kitchen")
            let samples = (0..<10).flatMap { _ in sentence }
            #expect(samples.count > 22 * 16_000)
            let result = try await recognizer.recognize(samples)
            let words = WordErrorRate.normalized(result.text)
            #expect(words.filter { $0 == "kitchen" }.count >= 7)
            await voice.shutdown()
            await recognizer.shutdown()
        }

        @Test func aHundredUtterancesDoNotGrowMemory() async throws {
            let (voice, recognizer) = try await (ClassicEngines.synthesizer(), ClassicEngines.recognizer())
            let samples = try await voice.samples(of: "stop listening")
            for _ in 0..<10 { _ = try await recognizer.recognize(samples) }
            let before = try residentBytes()
            for _ in 0..<100 { #expect(try await !recognizer.recognize(samples).text.isEmpty) }
            // A leak of an utterance's search graph would be several megabytes each time.
            #expect(try residentBytes() - before < 64 << 20)
            await voice.shutdown()
            await recognizer.shutdown()
        }

        private func residentBytes() throws -> Int {
            let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            let pages = try #require(statm.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }
}
