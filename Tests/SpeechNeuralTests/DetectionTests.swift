import Foundation
import GlassesDomain
import SpokenSamples
import Synchronization
import Testing

extension SpeechNeuralTests {
    @Suite struct DetectionTests {
        /// What one stream told.
        private final class Judgements: Sendable {
            private let state = Mutex<(judged: [VoiceActivity], failure: SpeechEngineError?)>(([], nil))

            func start(_ engine: any VoiceActivityEngine) -> any VoiceActivityStream {
                engine.start(
                    onActivity: { activity in self.state.withLock { $0.judged.append(activity) } },
                    onFailure: { failure in self.state.withLock { $0.failure = failure } })
            }

            var all: [VoiceActivity] { state.withLock { $0.judged } }
            var failure: SpeechEngineError? { state.withLock { $0.failure } }
            var frames: Int64 { all.last.map { $0.firstFrame + Int64($0.frames) } ?? 0 }
            /// Seconds that were judged to be speech, from when to when.
            var speech: (seconds: Double, begin: Double, end: Double) {
                let spoken = all.filter { $0.probability > 0.5 }
                let frames = spoken.reduce(0) { $0 + $1.frames }
                let end = spoken.last.map { $0.firstFrame + Int64($0.frames) } ?? 0
                return (Double(frames) / 16_000, Double(spoken.first?.firstFrame ?? 0) / 16_000, Double(end) / 16_000)
            }
        }

        /// Judges a sound in blocks of 10 ms, never more than a second ahead.
        private func judge(_ samples: [Int16], with engine: any VoiceActivityEngine) async -> Judgements {
            let judgements = Judgements()
            let stream = judgements.start(engine)
            for start in stride(from: 0, to: samples.count, by: 160) {
                stream.push(Array(samples[start..<min(start + 160, samples.count)]))
                let pushed = Int64(start)
                #expect(await eventually { judgements.frames + 16_000 > pushed || judgements.failure != nil })
            }
            let whole = Int64(samples.count / 512 * 512)
            #expect(await eventually { judgements.frames == whole })
            stream.end()
            return judgements
        }

        @Test func speechIsFoundWhereItIsAndEveryFrameIsJudgedOnce() async throws {
            let engine = try await NeuralEngines.detector()
            #expect(engine.sampleRate == 16_000)
            let spoken = try #require(try Recordings.human().first { $0.name.contains("0880") }).samples
            let silence = [Int16](repeating: 0, count: 16_000)
            let judgements = await judge(silence + spoken + silence, with: engine)
            var next: Int64 = 0
            for activity in judgements.all {
                #expect(activity.firstFrame == next)
                next += Int64(activity.frames)
            }
            let (seconds, begin, end) = judgements.speech
            let length = Double(spoken.count) / 16_000
            #expect(seconds > 0.7 * length && seconds < length + 0.1)
            #expect(begin > 1 && begin < 1.5)
            #expect(end > length + 0.5 && end < length + 1.05)
            print("speech from 1 to \(length + 1) s was heard from \(begin) to \(end) s, \(seconds) s of it")
            await engine.shutdown()
        }

        @Test func noiseAndMusicAreNoSpeech() async throws {
            let engine = try await NeuralEngines.detector()
            let sounds: [(String, [Int16])] = [
                ("silence", [Int16](repeating: 0, count: 48_000)), ("hum", Noises.hum(seconds: 3, amplitude: 3_000)),
                ("hiss", Noises.white(seconds: 3, amplitude: 3_000)),
                ("pink", Noises.pink(seconds: 10, amplitude: 3_000)),
                ("gusts", Noises.gusts(seconds: 5, amplitude: 3_000)), ("music", Music.mixed()),
            ]
            for (name, samples) in sounds {
                let seconds = await judge(samples, with: engine).speech.seconds
                #expect(seconds == 0, "\(name)")
            }
            await engine.shutdown()
        }

        @Test(arguments: [("very quiet, -40 dB", 0.01), ("clipped, +12 dB", 4.0), ("clipped hard, +18 dB", 8.0)])
        func speechIsFoundHoweverLoudItIs(name: String, gain: Double) async throws {
            let spoken = try #require(try Recordings.human().first { $0.name.contains("0880") }).samples
            let peak = Double(spoken.map(\.magnitude).max() ?? 1)
            let samples = spoken.map { Int16(max(-32_768, min(32_767, Double($0) * gain * 32_767 / peak))) }
            let silence = [Int16](repeating: 0, count: 16_000)
            let engine = try await NeuralEngines.detector()
            let seconds = await judge(silence + samples + silence, with: engine).speech.seconds
            let length = Double(spoken.count) / 16_000
            #expect(seconds > 0.6 * length && seconds < length + 0.2, "\(name)")
            await engine.shutdown()
        }

        @Test func twoPeopleAtOnceAreOneStretchOfSpeech() async throws {
            let people = try Recordings.human().filter { $0.name.contains("librivox") }.prefix(2).map(\.samples)
            let length = people.map(\.count).max() ?? 0
            let mixed = (0..<length).map { index in
                Int16(clamping: people.reduce(0) { $0 + (index < $1.count ? Int($1[index]) : 0) })
            }
            let silence = [Int16](repeating: 0, count: 16_000)
            let engine = try await NeuralEngines.detector()
            let (seconds, begin, end) = await judge(silence + mixed + silence, with: engine).speech
            #expect(begin > 1 && begin < 1.5 && end > Double(length) / 16_000 + 0.5)
            #expect(seconds > 0.8 * (end - begin))
            await engine.shutdown()
        }

        @Test func eightStreamsAreJudgedApartAndTheNinthIsRefused() async throws {
            let engine = try await NeuralEngines.detector()
            let spoken = Array(
                try #require(try Recordings.human().first { $0.name.contains("0930") }).samples[..<24_000])
            let silence = [Int16](repeating: 0, count: spoken.count)
            let streams = (0..<8).map { _ in Judgements() }
            let open = streams.map { $0.start(engine) }
            let ninth = Judgements()
            let refused = ninth.start(engine)
            #expect(await eventually { ninth.failure?.code == "engine_busy" })
            for (index, stream) in open.enumerated() { stream.push(index.isMultiple(of: 2) ? spoken : silence) }
            for judgements in streams {
                #expect(await eventually { judgements.frames == Int64(spoken.count / 512 * 512) })
            }
            for (index, judgements) in streams.enumerated() {
                #expect((judgements.speech.seconds > 0.5) == index.isMultiple(of: 2))
            }
            refused.end()
            // A stream that ends makes room, and its model begins anew.
            open[0].end()
            #expect(await judge(silence, with: engine).speech.seconds == 0)
            for stream in open { stream.end() }
            await engine.shutdown()
        }

        @Test func aResetForgetsWhatWaitsAndCountsOn() async throws {
            let engine = try await NeuralEngines.detector()
            let judgements = Judgements()
            let stream = judgements.start(engine)
            stream.push([Int16](repeating: 0, count: 700))
            #expect(await eventually { judgements.frames == 512 })
            stream.reset()
            stream.push([Int16](repeating: 0, count: 512))
            #expect(await eventually { judgements.all.count == 2 })
            #expect(judgements.all.last?.firstFrame == 700)
            #expect(judgements.failure == nil)
            stream.end()
            await engine.shutdown()
        }

        @Test func moreThanTwoSecondsAtOnceFailTheStreamAndNoOther() async throws {
            let engine = try await NeuralEngines.detector()
            let flooded = Judgements()
            let stream = flooded.start(engine)
            stream.push([Int16](repeating: 0, count: 40_000))
            #expect(await eventually { flooded.failure?.code == "engine_busy" })
            stream.end()
            #expect(await judge([Int16](repeating: 0, count: 16_000), with: engine).failure == nil)
            await engine.shutdown()
        }

        @Test func shuttingDownFailsTheOpenStreams() async throws {
            let engine = try await NeuralEngines.detector()
            let judgements = Judgements()
            let stream = judgements.start(engine)
            stream.push([Int16](repeating: 0, count: 16_000))
            let took = await ContinuousClock().measure { await engine.shutdown() }
            #expect(took < .seconds(4))
            #expect(await eventually { judgements.failure?.code == "cancelled" })
            stream.end()
        }
    }
}
