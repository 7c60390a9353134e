import Foundation
import GlassesDomain
import SpokenSamples
import Testing
import WordErrors

@testable import SpeechNeuralEngines

extension SpeechNeuralTests {
    @Suite struct LongSpeechTests {
        /// A novel's five recorded sentences, read again and again.
        @Test(.timeLimit(.minutes(5))) func tenMinutesWithoutAPauseKeepTheirWordsInBoundedMemory() async throws {
            let sentences = try Recordings.human().filter { $0.name.contains("librivox") }
            let once = Self.withoutPauses(sentences.flatMap(\.samples))
            let rounds = 600 * 16_000 / once.count + 1
            let samples = (0..<rounds).flatMap { _ in once }
            let clock = ContinuousClock()
            var outcome = (text: "", growth: 0)
            let took = try await clock.measure { outcome = try await Self.recognizeDirectly(samples, first: once) }
            let words = (0..<rounds).map { _ in sentences.map(\.words).joined(separator: " ") }.joined(separator: " ")
            let rate = WordErrorRate(reference: words, heard: outcome.text)
            print("10 minutes without a pause: \(rate) words wrong, \(took), \(outcome.growth >> 20) MiB more")
            #expect(rate.fraction < 0.25)
            // The runtime's own memory grows to what the longest part needs, 60 MB. All of the sound as the model takes it
            // would be 38 MB, and what the model makes of it a gigabyte.
            #expect(outcome.growth < 128 << 20)
        }

        @Test(arguments: [false, true])
        func partsThatEndAtPausesKeepTheirWords(withPartialTexts: Bool) async throws {
            let sentences = try Recordings.human().filter { $0.name.contains("librivox") }
            let pause = [Int16](repeating: 0, count: 6_400)
            // 54 s in pieces of 3 to 7 s.
            let samples = (sentences + sentences).flatMap { $0.samples + pause }
            let text = try await Self.onThread {
                try Self.recognize(samples, with: try Self.makeRecognizer(), withPartialTexts: withPartialTexts)
            }
            let words = (sentences + sentences).map(\.words).joined(separator: " ")
            let rate = WordErrorRate(reference: words, heard: text)
            print("54 s with pauses: \(rate) words wrong")
            #expect(rate.fraction <= 0.08, "\(text)")
        }

        /// What a recogniser makes of a sound without the host, which takes no more than a minute ahead; and how much memory it takes
        /// beyond what it took for `first`. On a thread of its own.
        private static func recognizeDirectly(
            _ samples: [Int16], first: [Int16]
        ) async throws -> (text: String, growth: Int) {
            try await onThread {
                let recognizer = try makeRecognizer()
                _ = try recognize(first, with: recognizer)
                let before = try residentBytes()
                let text = try recognize(samples, with: recognizer)
                return (text, try residentBytes() - before)
            }
        }

        private static func onThread<Value: Sendable>(
            _ body: @escaping @Sendable () throws -> Value
        ) async throws -> Value {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread { continuation.resume(with: Result(catching: body)) }
                thread.stackSize = 1 << 20
                thread.start()
            }
        }

        private static func makeRecognizer() throws -> MoonshineRecognizer {
            let folders = EngineFolders(environment: EngineFolders.variable)
            let library = try SherpaLibrary(folder: try folders.folder(of: .sherpa))
            return MoonshineRecognizer(
                model: try MoonshineModel(library: library, folder: try folders.folder(of: .moonshine)),
                detector: try SpeechDetector(library: library, folder: try folders.folder(of: .silero), hangover: 0.1))
        }

        private static func recognize(
            _ samples: [Int16], with recognizer: MoonshineRecognizer, withPartialTexts: Bool = false
        ) throws -> String {
            for start in stride(from: 0, to: samples.count, by: 1_600) {
                try recognizer.add(Array(samples[start..<min(start + 1_600, samples.count)]))
                if withPartialTexts, recognizer.isAtPause { _ = try recognizer.partialText() }
            }
            return try #require(try recognizer.finish(isWanted: { true })).text
        }

        @Test func aLongSilenceInsideAnUtteranceChangesNothing() async throws {
            let recognizer = try await NeuralEngines.recognizer()
            let parts = try Recordings.festival(["take a picture", "and remember that my keys are in the kitchen"])
            let silence = [Int16](repeating: 0, count: 15 * 16_000)
            let result = try await recognizer.recognize(parts[0].samples + silence + parts[1].samples)
            let rate = WordErrorRate(reference: parts.map(\.words).joined(separator: " "), heard: result.text)
            #expect(rate.errors <= 1, "\(result.text)")
            await recognizer.shutdown()
        }

        @Test func aHundredUtterancesDoNotGrowMemory() async throws {
            let recognizer = try await NeuralEngines.recognizer()
            let samples = try #require(try Recordings.festival(["stop listening"]).first).samples
            for _ in 0..<10 { _ = try await recognizer.recognize(samples) }
            let before = try Self.residentBytes()
            for _ in 0..<100 { #expect(try await !recognizer.recognize(samples).text.isEmpty) }
            #expect(try Self.residentBytes() - before < 16 << 20)
            await recognizer.shutdown()
        }

        /// The acceptance figures of the engine itself, printed.
        @Test func theEngineKeepsUpWithSpeechMoreThanThreeTimes() async throws {
            let clock = ContinuousClock()
            let idle = try Self.residentBytes()
            var recognizer: (any SpeechToTextEngine)?
            let loading = try await clock.measure { recognizer = try await NeuralEngines.recognizer() }
            let engine = try #require(recognizer)
            let loaded = try Self.residentBytes()
            let samples = try Recordings.human().filter { $0.name.contains("librivox") }.flatMap(\.samples)
            let began = processorSeconds()
            let took = try await clock.measure { _ = try await engine.recognize(samples) }
            let length = Double(samples.count) / 16_000
            let speech = (processorSeconds() - began) / length
            let silence = [Int16](repeating: 0, count: 15 * 16_000)
            let paused = processorSeconds()
            _ = try await engine.recognize(silence)
            let quiet = (processorSeconds() - paused) / 15
            let used = try Self.residentBytes()
            print(
                """
                Moonshine: start \(loading), \((loaded - idle) >> 20) MiB loaded, \((used - idle) >> 20) MiB after \
                \(length) s of speech, which took \(took); processor per second: \(speech) s of speech with partial texts, \
                \(quiet) s of silence
                """)
            // Of the processor's time: the machine may be busy with other things.
            #expect(speech < 1.0 / 3)
            await engine.shutdown()
        }

        @Test func theTextIsThereAtOnceAfterAPause() async throws {
            let recognizer = try await NeuralEngines.recognizer()
            let recording = try #require(try Recordings.festival(["set a timer for five minutes"]).first)
            let samples = recording.samples + [Int16](repeating: 0, count: 8_000)
            let clock = ContinuousClock()
            var delays: [Duration] = []
            for _ in 0..<3 {
                let begin = clock.now
                let utterance = recognizer.start { _ in }
                for start in stride(from: 0, to: samples.count, by: 320) {
                    try await clock.sleep(until: begin + .milliseconds(start / 16))
                    #expect(utterance.push(Array(samples[start..<min(start + 320, samples.count)])))
                }
                var text = ""
                delays.append(try await clock.measure { text = try await utterance.finish().text })
                #expect(WordErrorRate(reference: recording.words, heard: text).errors == 0)
            }
            print("from finish to text, half a second after the last word: \(delays)")
            #expect(try #require(delays.min()) < .seconds(2))
            await recognizer.shutdown()
        }

        /// Leaves out the frames of 20 ms that are 30 dB below the loudest.
        private static func withoutPauses(_ samples: [Int16]) -> [Int16] {
            let frames = stride(from: 0, to: samples.count - 320, by: 320).map { samples[$0..<($0 + 320)] }
            let powers = frames.map { frame in frame.reduce(0.0) { $0 + Double($1) * Double($1) } }
            let limit = (powers.max() ?? 0) / 1_000
            return zip(frames, powers).filter { $0.1 > limit }.flatMap { Array($0.0) }
        }

        private static func residentBytes() throws -> Int {
            let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            let pages = try #require(statm.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }

        private func processorSeconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }
}
