import Foundation
import GlassesDomain
import SpokenSamples
import Synchronization
import Testing
import WordErrors

extension SpeechNeuralTests {
    @Suite struct RecognitionTests {
        @Test func soundsWithoutWordsGiveNoText() async throws {
            let recognizer = try await NeuralEngines.recognizer()
            let sounds: [(String, [Int16])] = [
                ("nothing", []), ("one sample", [1]), ("silence", [Int16](repeating: 0, count: 80_000)),
                ("hum", Noises.hum(seconds: 3, amplitude: 1_500)),
                ("soft hiss", Noises.white(seconds: 3, amplitude: 100)),
                ("loud hiss", Noises.white(seconds: 3, amplitude: 6_000)),
                ("soft pink", Noises.pink(seconds: 3, amplitude: 300)),
                ("loud pink", Noises.pink(seconds: 3, amplitude: 6_000)),
                ("gusts", Noises.gusts(seconds: 5, amplitude: 3_000)),
                ("melody", Music.melody()), ("chords", Music.chords()), ("both", Music.mixed()),
                ("humming", Music.hummed()),
                ("clicks", Noises.clicks(seconds: 2)),
            ]
            for (name, samples) in sounds {
                let result = try await recognizer.recognize(samples)
                #expect(result.text.isEmpty, "\(name): \(result.text)")
                #expect(result.confidence == 0, "\(name)")
            }
            // What was heard before is forgotten.
            let sentence = try spoken("stop listening")
            #expect(
                WordErrorRate(reference: "stop listening", heard: try await recognizer.recognize(sentence).text).errors
                    == 0)
            await recognizer.shutdown()
        }

        @Test(arguments: ["no", "yes", "stop", "go", "okay"]) func theShortestWordsAreHeard(word: String) async throws {
            let recognizer = try await NeuralEngines.recognizer()
            let heard = try await recognizer.recognize(try spoken(word)).text
            #expect(WordErrorRate(reference: word, heard: heard).errors == 0, "\(heard)")
            await recognizer.shutdown()
        }

        @Test(arguments: [("very quiet, -40 dB", 0.01, 1), ("clipped, +20 dB", 10, 2), ("clipped hard, +30 dB", 31, 6)])
        func wordsAreHeardHoweverLoudTheyAre(name: String, gain: Double, errors: Int) async throws {
            let recording = try #require(try Recordings.human().first { $0.name.contains("0870") })
            let peak = Double(recording.samples.map(\.magnitude).max() ?? 1)
            let samples = recording.samples.map { Int16(max(-32_768, min(32_767, Double($0) * gain * 32_767 / peak))) }
            let recognizer = try await NeuralEngines.recognizer()
            let result = try await recognizer.recognize(samples)
            let rate = WordErrorRate(reference: recording.words, heard: result.text)
            print("\(name): \(rate) wrong")
            #expect(rate.errors <= errors, "\(result.text)")
            await recognizer.shutdown()
        }

        @Test(arguments: [("15 dB", 15.0, 2), ("10 dB", 10.0, 4)])
        func wordsAreHeardInNoise(name: String, ratio: Double, errors: Int) async throws {
            let recording = try #require(try Recordings.human().first { $0.name.contains("0870") })
            let power = recording.samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(recording.samples.count)
            let noise = Noises.pink(seconds: Double(recording.samples.count) / 16_000 + 1, amplitude: 1_000)
            let noisePower = noise.reduce(0) { $0 + Double($1) * Double($1) } / Double(noise.count)
            let gain = (power / noisePower / pow(10, ratio / 10)).squareRoot()
            let mixed = zip(recording.samples, noise).map { Int16(clamping: Int(Double($0) + gain * Double($1))) }
            let recognizer = try await NeuralEngines.recognizer()
            let rate = WordErrorRate(reference: recording.words, heard: try await recognizer.recognize(mixed).text)
            print("pink noise at \(name): \(rate) wrong")
            #expect(rate.errors <= errors)
            await recognizer.shutdown()
        }

        @Test func twoPeopleAtOnceGiveWordsOfOneOrBothAndAnEnd() async throws {
            let people = try Recordings.human().filter { $0.name.contains("librivox") }.prefix(2).map(\.samples)
            let length = people.map(\.count).max() ?? 0
            let mixed = (0..<length).map { index in
                Int16(clamping: people.reduce(0) { $0 + (index < $1.count ? Int($1[index]) : 0) })
            }
            let recognizer = try await NeuralEngines.recognizer()
            let words = WordErrorRate.normalized(try await recognizer.recognize(mixed).text)
            // 30 words are said in 7 s.
            #expect((5...45).contains(words.count), "\(words)")
            await recognizer.shutdown()
        }

        @Test func anOpenUtteranceTellsPartialTextsThatEndWithTheNewest() async throws {
            let recognizer = try await NeuralEngines.recognizer()
            let samples = try spoken("remember that my keys are in the kitchen")
            let partials = Mutex<[String]>([])
            let utterance = recognizer.start { partial in partials.withLock { $0.append(partial.text) } }
            let half = samples.count / 2
            #expect(utterance.push(Array(samples[..<half])))
            #expect(await eventually { partials.withLock { !$0.isEmpty } })
            // The rest comes at once and nothing after it.
            #expect(utterance.push(Array(samples[half...])))
            #expect(await eventually { partials.withLock { $0.last?.lowercased().contains("kitchen") ?? false } })
            let told = partials.withLock { $0 }
            #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
            #expect(try await utterance.finish().text == told.last)
            await recognizer.shutdown()
        }

        @Test func aCancelledUtteranceEndsAtOnceAndTheNextIsHeard() async throws {
            let recognizer = try await NeuralEngines.recognizer()
            let samples = try spoken("set a timer for five minutes")
            let dropped = recognizer.start { _ in }
            for _ in 0..<20 { #expect(dropped.push(samples)) }
            let ending = Task { await Result(catching: { try await dropped.finish() }).failureCode }
            dropped.cancel()
            #expect(await ending.value == "cancelled")
            let result = try await recognizer.recognize(samples)
            #expect(WordErrorRate(reference: "set a timer for five minutes", heard: result.text).errors == 0)
            await recognizer.shutdown()
        }

        @Test func shuttingDownWithAnOpenUtteranceEndsItWithinTwoSeconds() async throws {
            let recognizer = try await NeuralEngines.recognizer()
            let utterance = recognizer.start { _ in }
            let minute = try Recordings.human().filter { $0.name.contains("librivox") }.flatMap(\.samples)
            #expect(utterance.push(minute))
            let ending = Task { await Result(catching: { try await utterance.finish() }).failureCode }
            let took = await ContinuousClock().measure { await recognizer.shutdown() }
            #expect(took < .seconds(4))
            #expect(await ending.value != nil)
        }

        @Test func twoRecognizersAtOnceHearTheirOwnWords() async throws {
            let (one, other) = try await (NeuralEngines.recognizer(), NeuralEngines.recognizer())
            let samples = try Recordings.festival(["take a picture", "stop listening"]).map(\.samples)
            async let first = one.recognize(samples[0])
            async let second = other.recognize(samples[1])
            #expect(WordErrorRate(reference: "take a picture", heard: try await first.text).errors == 0)
            #expect(WordErrorRate(reference: "stop listening", heard: try await second.text).errors == 0)
            await one.shutdown()
            await other.shutdown()
        }

        @Test(arguments: ["NO_STREAM", "NO_RESULT"])
        func aLibraryThatAnswersNothingFailsTheUtterance(macro: String) async throws {
            let tree = try EngineTree()
            try await tree.fakeSherpa([macro])
            let recognizer = try await NeuralEngines.recognizer(tree.settings)
            for _ in 0..<2 {
                let code = await Result(catching: {
                    try await recognizer.recognize([Int16](repeating: 9, count: 16_000))
                }).failureCode
                #expect(code == "engine_failed")
            }
            await recognizer.shutdown()
        }

        @Test func aModelWithoutTextGivesNoText() async throws {
            let tree = try EngineTree()
            try await tree.fakeSherpa(["NO_TEXT"])
            let recognizer = try await NeuralEngines.recognizer(tree.settings)
            #expect(try await recognizer.recognize([Int16](repeating: 9, count: 16_000)).text.isEmpty)
            await recognizer.shutdown()
        }

        @Test func aLibraryThatHangsStillLetsUtterancesBeCancelledAndTheEngineEnd() async throws {
            let tree = try EngineTree()
            try await tree.fakeSherpa(["HANGS"])
            let recognizer = try await NeuralEngines.recognizer(tree.settings)
            let utterance = recognizer.start { _ in }
            #expect(utterance.push([Int16](repeating: 9, count: 16_000)))
            let ending = Task { await Result(catching: { try await utterance.finish() }).failureCode }
            utterance.cancel()
            #expect(await ending.value == "cancelled")
            let took = await ContinuousClock().measure { await recognizer.shutdown() }
            #expect(took < .seconds(4))
        }

        private func spoken(_ text: String) throws -> [Int16] {
            try #require(try Recordings.festival([text]).first).samples
        }
    }
}
