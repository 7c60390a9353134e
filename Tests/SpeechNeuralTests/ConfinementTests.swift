import Foundation
import GlassesDomain
import GlassesPluginHost
import SpokenSamples
import Synchronization
import Testing
import WordErrors

extension SpeechNeuralTests {
    @Suite struct ConfinementTests {
        @Test func aChildWithoutRightsReadsTheEnginesAndHears() async throws {
            let recording = try #require(try Recordings.festival(["take a picture"]).first)
            let recognizer = try await NeuralEngines.confining.speechToText(id: NeuralEngines.id).get()
            let heard = try await recognizer.recognize(recording.samples).text
            #expect(WordErrorRate(reference: recording.words, heard: heard).errors == 0)
            await recognizer.shutdown()
        }

        @Test func aChildWithoutRightsJudgesVoices() async throws {
            let recording = try #require(try Recordings.festival(["take a picture"]).first)
            let detector = try await NeuralEngines.confining.voiceActivity(id: NeuralEngines.id).get()
            let spoken = Mutex(0)
            let stream = detector.start(
                onActivity: { activity in if activity.probability > 0.5 { spoken.withLock { $0 += 1 } } },
                onFailure: { Issue.record("\($0)") })
            stream.push(Array(recording.samples.prefix(30_000)))
            // Half a second of it at least.
            #expect(await eventually { spoken.withLock { $0 } > 15 })
            stream.end()
            await detector.shutdown()
        }

        @Test func aChildThatDiesInMidUtteranceFailsItAndTheNextIsHeard() async throws {
            let recording = try #require(try Recordings.festival(["take a picture"]).first)
            let others = try Self.children()
            let recognizer = try await NeuralEngines.confining.speechToText(id: NeuralEngines.id).get()
            let child = try #require(try Self.children().subtracting(others).first)
            let utterance = recognizer.start { _ in }
            #expect(utterance.push(recording.samples))
            #expect(kill(child, SIGSEGV) == 0)
            let code = await Result(catching: { try await utterance.finish() }).failureCode
            #expect(code != nil)
            // The next ones fail until the new child has loaded the model.
            #expect(
                await eventually {
                    do {
                        let heard = try await recognizer.recognize(recording.samples).text
                        return WordErrorRate(reference: recording.words, heard: heard).errors == 0
                    } catch {
                        return false
                    }
                })
            await recognizer.shutdown()
        }

        /// The processes that carry plugins of this one.
        private static func children() throws -> Set<pid_t> {
            let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
            return Set(
                processes.filter { process in
                    // A process may end while it is looked at.
                    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat"),
                        let end = bytes.lastIndex(of: UInt8(ascii: ")"))
                    else { return false }
                    let fields = String(decoding: bytes[(end + 2)...], as: UTF8.self).split(separator: " ")
                    return fields.count > 1 && fields[1] == "\(getpid())"
                        && String(decoding: bytes[..<end], as: UTF8.self).contains("glasses-plugin")
                })
        }
    }
}
