import GlassesDomain
import GlassesPluginHost
import GlassesRealtime
import Synchronization
import Testing

@testable import GlassesPipeline

/// What rosters told, in order.
final class EngineNotices: Sendable {
    private let notices = Mutex<[EngineNotice]>([])
    var all: [EngineNotice] { notices.withLock { $0 } }
    func append(_ notice: EngineNotice) { notices.withLock { $0.append(notice) } }
}

@Suite("A recogniser with others behind it", .timeLimit(.minutes(2)))
struct FallbackRecognizerTests {
    private static let broken = SpeechEngineError(code: "engine_failed", message: "It broke.")
    private static let missing = SpeechEngineError(code: "engine_unavailable", message: "A file is missing.")
    private static let second = [Int16](repeating: 1, count: 16_000)

    /// Two engines, `best` before `next`, each of which loads as often as it has engines and is missing then.
    private struct Fixture {
        let clock = ManualClock()
        let notices = EngineNotices()
        let roster: EngineRoster<any SpeechToTextEngine>

        init(best: [FakeRecognizer], next: [FakeRecognizer]) {
            let notices = notices
            roster = EngineRoster(
                [Self.candidate("best", best), Self.candidate("next", next)], clock: clock.port,
                end: { await $0.shutdown() }, notify: { notices.append($0) })
        }

        private static func candidate(
            _ name: String, _ engines: [FakeRecognizer]
        ) -> EngineCandidate<any SpeechToTextEngine> {
            let left = Mutex(engines)
            return EngineCandidate(name: name) {
                left.withLock { $0.isEmpty ? .failure(FallbackRecognizerTests.missing) : .success($0.removeFirst()) }
            }
        }

        func open() async throws -> FallbackRecognizer {
            try #require(await FallbackRecognizer.open(roster, clock: clock.port))
        }
    }

    private static func utterance(_ recognizer: FallbackRecognizer) -> any SpeechToTextUtterance {
        let utterance = recognizer.start { _ in }
        #expect(utterance.push(second))
        #expect(utterance.push(second))
        return utterance
    }

    @Test("the best engine serves, and the next is not even loaded")
    func best() async throws {
        let next = FakeRecognizer()
        let fixture = Fixture(best: [FakeRecognizer(.words("hello"))], next: [next])
        let recognizer = try await fixture.open()
        #expect(try await Self.utterance(recognizer).finish().text == "hello")
        #expect(fixture.notices.all == [.selected(name: "best")])
        #expect(next.startCount == 0)
    }

    @Test("an engine that cannot be loaded is told of, and the next serves; without any there is no recogniser")
    func failsToLoad() async throws {
        let fixture = Fixture(best: [], next: [FakeRecognizer(.words("hello"))])
        let recognizer = try await fixture.open()
        #expect(try await Self.utterance(recognizer).finish().text == "hello")
        #expect(fixture.notices.all == [.unavailable(name: "best", Self.missing), .selected(name: "next")])
        let none = Fixture(best: [], next: [])
        #expect(await FallbackRecognizer.open(none.roster, clock: none.clock.port) == nil)
    }

    @Test("an utterance on which the engine dies is recognised by the next one from its beginning")
    func dies() async throws {
        let next = FakeRecognizer(.words("hello"), .words("again"))
        let fixture = Fixture(best: [FakeRecognizer(.failure(Self.broken))], next: [next])
        let recognizer = try await fixture.open()
        #expect(try await Self.utterance(recognizer).finish().text == "hello")
        #expect(next.finishedSamples == [32_000])
        #expect(
            fixture.notices.all == [
                .selected(name: "best"), .replaced(name: "next", instead: "best", because: Self.broken),
            ])
        #expect(try await Self.utterance(recognizer).finish().text == "again")
    }

    @Test("an engine that hangs is given up after its utterance's length and three seconds")
    func hangs() async throws {
        let fixture = Fixture(best: [FakeRecognizer(.hang)], next: [FakeRecognizer(.words("hello"))])
        let recognizer = try await fixture.open()
        let utterance = Self.utterance(recognizer)
        let words = Task { try await utterance.finish().text }
        try await until { fixture.clock.sleeperCount == 1 }
        fixture.clock.advance(by: .milliseconds(4_999))
        #expect(fixture.clock.sleeperCount == 1)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(try await words.value == "hello")
        guard case .replaced("next", "best", let error) = fixture.notices.all.last else {
            Issue.record("not replaced")
            return
        }
        #expect(error?.code == "timeout")
    }

    @Test(
        "an engine that understood nothing three times in a row loses its place if the next one understands the third")
    func understandsNothing() async throws {
        let deaf = FakeRecognizer()
        let next = FakeRecognizer(.words("hello there"), .words("again"))
        let fixture = Fixture(best: [deaf], next: [next])
        let recognizer = try await fixture.open()
        var texts: [String] = []
        for _ in 0..<4 { texts.append(try await Self.utterance(recognizer).finish().text) }
        #expect(texts == ["", "", "hello there", "again"])
        #expect(deaf.startCount == 3)
        #expect(next.finishedSamples == [32_000, 32_000])
    }

    @Test("noises, in which the next engine finds a word at most, change nothing")
    func noises() async throws {
        let fixture = Fixture(best: [FakeRecognizer()], next: [FakeRecognizer(.words("the"), .words(""))])
        let recognizer = try await fixture.open()
        for _ in 0..<7 { #expect(try await Self.utterance(recognizer).finish().text.isEmpty) }
        #expect(fixture.notices.all == [.selected(name: "best")])
    }

    @Test("the better engine is loaded anew after its rest, and serves the utterances after that")
    func comesBack() async throws {
        let best = [FakeRecognizer(.failure(Self.broken)), FakeRecognizer(.words("best"), .words("best"))]
        let next = FakeRecognizer(.words("next"), .words("next"), .words("next"))
        let fixture = Fixture(best: best, next: [next])
        let recognizer = try await fixture.open()
        #expect(try await Self.utterance(recognizer).finish().text == "next")
        fixture.clock.advance(by: .seconds(9))
        #expect(try await Self.utterance(recognizer).finish().text == "next")
        fixture.clock.advance(by: .seconds(1))
        // The utterance that notices it does not wait.
        #expect(try await Self.utterance(recognizer).finish().text == "next")
        try await until { fixture.notices.all.count == 3 }
        try await until { recognizer.choice.name == "best" }
        #expect(fixture.notices.all.last == .replaced(name: "best", instead: "next", because: nil))
        #expect(try await Self.utterance(recognizer).finish().text == "best")
    }

    @Test("a single engine that dies fails its utterance and is loaded anew for the next")
    func single() async throws {
        let engines = [FakeRecognizer(.failure(Self.broken)), FakeRecognizer(.words("again"))]
        let fixture = Fixture(best: engines, next: [])
        let recognizer = try await fixture.open()
        await #expect(throws: Self.broken) { try await Self.utterance(recognizer).finish() }
        #expect(try await Self.utterance(recognizer).finish().text == "again")
    }

    @Test("an engine that is busy, or whose utterance was called off, keeps its place")
    func keepsPlace() async throws {
        let busy = SpeechEngineError(code: "engine_busy", message: "Too many.")
        let fixture = Fixture(
            best: [FakeRecognizer(.failure(busy), .hang, .words("hello"))], next: [FakeRecognizer(.words("next"))])
        let recognizer = try await fixture.open()
        await #expect(throws: busy) { try await Self.utterance(recognizer).finish() }
        let hanging = Self.utterance(recognizer)
        let task = Task { try await hanging.finish() }
        try await until { fixture.clock.sleeperCount == 1 }
        hanging.cancel()
        await #expect(throws: SpeechEngineError.self) { try await task.value }
        #expect(try await Self.utterance(recognizer).finish().text == "hello")
        #expect(fixture.notices.all == [.selected(name: "best")])
    }

    @Test("a session goes on when its recogniser dies in mid-conversation, and the turn is answered")
    func session() async throws {
        let best = FakeRecognizer(.words("one"), .failure(Self.broken))
        let fixture = Fixture(best: [best], next: [FakeRecognizer(.words("two"), .words("three"))])
        let client = try await TestClient(
            PipelineEngines(
                recognizer: try await fixture.open(), synthesizer: FakeSynthesizer(), brain: FakeBrain.echo))
        for word in ["one", "two", "three"] {
            client.speak()
            let response = try await client.nextResponse()
            guard case .message(let message) = response.output.first?.body else {
                Issue.record("no message")
                return
            }
            #expect(message.content == [.outputAudio(audio: nil, transcript: "You said \(word).")])
        }
        #expect(client.events.filter { $0.type == "session.created" }.count == 1)
    }

    @Test("the classic engine understands what a broken one leaves to it")
    func classic() async throws {
        let host = PluginHost()
        let id = "org.extentos.speech-classic"
        let voice = try await host.textToSpeech(id: id).get()
        var samples = [Int16](repeating: 0, count: 8_000)
        for try await block in voice.synthesize("what time is it", voice: nil, rate: 1, pitch: 0) {
            #expect(block.sampleRate == 16_000)
            samples += block.samples
        }
        await voice.shutdown()
        let broken = FakeRecognizer(.failure(Self.broken))
        let roster = EngineRoster<any SpeechToTextEngine>(
            [
                EngineCandidate(name: "broken") { .success(broken) },
                EngineCandidate(name: id) { await host.speechToText(id: id) },
            ], clock: ManualClock().port, end: { await $0.shutdown() })
        let recognizer = try #require(await FallbackRecognizer.open(roster, clock: ManualClock().port))
        let utterance = recognizer.start { _ in }
        #expect(utterance.push(samples + [Int16](repeating: 0, count: 8_000)))
        #expect(try await utterance.finish().text == "what time is it")
        #expect(recognizer.id == "org.extentos.speech-classic.pocketsphinx")
        await recognizer.shutdown()
    }
}
