import GlassesDomain
import Testing

@testable import GlassesPluginHost

/// A host with one compiled engine plugin.
struct EngineFixture {
    static let id = "org.example.engine"
    let folder: TestFolder
    let host: PluginHost
    let misbehaviours = Collected<PluginMisbehaviour>()
    let log = Collected<PluginLogLine>()

    init(_ isolation: PluginIsolation, _ macros: [String] = []) async throws {
        folder = try TestFolder()
        try PluginCatalogTests.manifest("engine", into: folder, changes: ["kinds": ["stt", "tts"]])
        try await CCompiler.library(PluginSources.engines, to: folder.path + "/engine/lib.so", macros)
        var configuration = PluginHostConfiguration.test([folder.path], isolation: isolation)
        configuration.checking = .maximal
        let (reports, lines) = (misbehaviours, log)
        configuration.onMisbehaviour = { reports.append($0) }
        configuration.onLog = { lines.append($0) }
        host = PluginHost(configuration: configuration)
    }

    func recogniser() async throws -> any SpeechToTextEngine { try await host.speechToText(id: Self.id).get() }
    func synthesiser() async throws -> any TextToSpeechEngine { try await host.textToSpeech(id: Self.id).get() }
}

@Suite("A plugin's recogniser behind its port")
struct PluginSpeechToTextTests {
    @Test(
        "Utterances are recognised side by side, with partial texts and bounded confidences",
        arguments: PluginIsolation.both)
    func recognises(_ isolation: PluginIsolation) async throws {
        let fixture = try await EngineFixture(isolation)
        let engine = try await fixture.recogniser()
        #expect(engine.id == "org.example.engine.fake-one")
        #expect(engine.sampleRate == 16_000)
        #expect(engine.languages == ["en"])
        let partials = Collected<RecognitionResult>()
        let (one, two) = (engine.start { partials.append($0) }, engine.start { _ in })
        for _ in 0..<3 { #expect(one.push([Int16](repeating: 0, count: 320))) }
        #expect(two.push([Int16](repeating: 0, count: 100)))
        #expect(try await two.finish() == RecognitionResult(text: "100 frames", confidence: 0.75))
        #expect(try await one.finish() == RecognitionResult(text: "960 frames", confidence: 0.75))
        #expect(partials.all == Array(repeating: RecognitionResult(text: "some", confidence: 1), count: 3))
        #expect(!one.push([1]))
        await engine.shutdown()
        #expect(fixture.misbehaviours.all == [])
    }

    @Test("The log of a plugin reaches the host, one line without control characters", arguments: PluginIsolation.both)
    func logs(_ isolation: PluginIsolation) async throws {
        let fixture = try await EngineFixture(isolation)
        await (try await fixture.recogniser()).shutdown()
        #expect(
            fixture.log.all == [PluginLogLine(plugin: EngineFixture.id, severity: .warning, text: "hello there")])
    }

    /// What the plugin does, and the code of the error.
    static let faults: [(String, String)] = [
        ("BUSY", "engine_busy"), ("FAIL", "engine_failed"), ("BAD_TEXT", "engine_failed"),
    ]

    @Test("A failed utterance throws its cause", arguments: faults, PluginIsolation.both)
    func fails(_ fault: (macro: String, code: String), _ isolation: PluginIsolation) async throws {
        let engine = try await EngineFixture(isolation, [fault.macro]).recogniser()
        let utterance = engine.start { _ in }
        let error = await #expect(throws: SpeechEngineError.self) { try await utterance.finish() }
        #expect(error?.code == fault.code)
        await engine.shutdown()
    }

    @Test("A plugin without room makes push answer false from then on", arguments: PluginIsolation.both)
    func isFull(_ isolation: PluginIsolation) async throws {
        let engine = try await EngineFixture(isolation, ["FULL"]).recogniser()
        let utterance = engine.start { _ in }
        #expect(await eventually { !utterance.push([1, 2, 3]) })
        #expect(try await utterance.finish().text == "0 frames")
        await engine.shutdown()
    }

    @Test("More than a minute at once is not taken", arguments: PluginIsolation.both)
    func isBounded(_ isolation: PluginIsolation) async throws {
        let engine = try await EngineFixture(isolation).recogniser()
        let utterance = engine.start { _ in }
        #expect(!utterance.push([Int16](repeating: 0, count: 16_000 * 60 + 1)))
        #expect(utterance.push([Int16](repeating: 0, count: 16_000 * 60)))
        utterance.cancel()
        await engine.shutdown()
    }

    @Test("A doubled ending is reported and changes nothing", arguments: PluginIsolation.both)
    func reportsDoubled(_ isolation: PluginIsolation) async throws {
        let fixture = try await EngineFixture(isolation, ["TWICE"])
        let engine = try await fixture.recogniser()
        #expect(try await engine.start { _ in }.finish().text == "0 frames")
        #expect(await eventually { fixture.misbehaviours.all.map(\.kind) == [.completedTwice] })
        await engine.shutdown()
    }

    @Test(
        "Cancelling the task, the utterance or the engine ends a waiting finish with cancelled",
        arguments: PluginIsolation.both)
    func cancels(_ isolation: PluginIsolation) async throws {
        let fixture = try await EngineFixture(isolation, ["NEVER_FINISH"])
        let engine = try await fixture.recogniser()
        let (one, two, three) = (engine.start { _ in }, engine.start { _ in }, engine.start { _ in })
        let task = Task { try await one.finish() }
        task.cancel()
        #expect(await code(of: task) == "cancelled")
        let second = Task { try await two.finish() }
        two.cancel()
        #expect(await code(of: second) == "cancelled")
        let third = Task { try await three.finish() }
        await engine.shutdown()
        #expect(await code(of: third) == "cancelled")
        let late = await #expect(throws: SpeechEngineError.self) { try await engine.start { _ in }.finish() }
        #expect(late?.code == "cancelled")
        #expect(fixture.misbehaviours.all == [])
    }

    private func code(of task: Task<RecognitionResult, any Error>) async -> String? {
        switch await task.result {
        case .success: nil
        case .failure(let error): (error as? SpeechEngineError)?.code
        }
    }

    @Test("An engine whose model is missing, or that is not there, is unavailable", arguments: PluginIsolation.both)
    func isUnavailable(_ isolation: PluginIsolation) async throws {
        let fixture = try await EngineFixture(isolation, ["MISSING_MODEL"])
        #expect(await fixture.host.speechToText(id: EngineFixture.id).code == "engine_unavailable")
        #expect(await fixture.host.speechToText(id: "org.example.absent").code == "engine_unavailable")
        #expect(await fixture.host.plugins(kind: .stt).map(\.manifest.id) == [EngineFixture.id])
        #expect(await fixture.host.plugins(kind: .transport).isEmpty)
    }
}

@Suite("A plugin's synthesiser behind its port")
struct PluginTextToSpeechTests {
    private func frames(
        _ engine: any TextToSpeechEngine, _ text: String, voice: String? = nil
    ) async throws -> [Int16] {
        var samples: [Int16] = []
        for try await block in engine.synthesize(text, voice: voice, rate: 1, pitch: 0) { samples += block.samples }
        return samples
    }

    @Test(
        "A text becomes blocks in order, in the voice that was asked for or the default",
        arguments: PluginIsolation.both)
    func speaks(_ isolation: PluginIsolation) async throws {
        let fixture = try await EngineFixture(isolation)
        let engine = try await fixture.synthesiser()
        #expect(engine.voices == ["ann", "bob"])
        #expect(try await frames(engine, "four") == [Int16](repeating: 1, count: 6_400))
        #expect(try await frames(engine, "ab", voice: "bob") == [Int16](repeating: 2, count: 3_200))
        #expect(try await frames(engine, "a\0b", voice: "nobody") == [Int16](repeating: 1, count: 4_800))
        await engine.shutdown()
        #expect(fixture.misbehaviours.all == [])
    }

    @Test("A failed, a refused and a too long text throw their cause", arguments: PluginIsolation.both)
    func fails(_ isolation: PluginIsolation) async throws {
        for (macros, text, code) in [
            (["FAIL"], "x", "engine_failed"), (["BUSY"], "x", "engine_busy"),
            ([], String(repeating: "x", count: 65_537), "engine_failed"),
        ] {
            let engine = try await EngineFixture(isolation, macros).synthesiser()
            let error = await #expect(throws: SpeechEngineError.self) { try await frames(engine, text) }
            #expect(error?.code == code)
            await engine.shutdown()
        }
    }

    @Test("Whoever stops listening ends the synthesis", arguments: PluginIsolation.both)
    func stops(_ isolation: PluginIsolation) async throws {
        let fixture = try await EngineFixture(isolation, ["ENDLESS"])
        let engine = try await fixture.synthesiser()
        var blocks = 0
        for try await _ in engine.synthesize("endless", voice: nil, rate: 1, pitch: 0) {
            blocks += 1
            if blocks == 3 { break }
        }
        #expect(try await EngineFixture(isolation).synthesiser().voices.count == 2)
        await engine.shutdown()
        let error = await #expect(throws: SpeechEngineError.self) { try await frames(engine, "after the end") }
        #expect(error?.code == "cancelled")
    }

    @Test("A synthesiser that never says a word is given up after ten seconds", arguments: PluginIsolation.both)
    func survivesSilence(_ isolation: PluginIsolation) async throws {
        let fixture = try await EngineFixture(isolation, ["SILENT"])
        let engine = try await fixture.synthesiser()
        let error = await #expect(throws: SpeechEngineError.self) { try await frames(engine, "hello") }
        #expect(error?.code == "timeout")
        #expect(fixture.misbehaviours.all.map(\.kind) == [.notCompleted(limit: .seconds(10))])
        await engine.shutdown()
    }
}

extension Result where Success == any SpeechToTextEngine, Failure == SpeechEngineError {
    fileprivate var code: String? { if case .failure(let error) = self { error.code } else { nil } }
}
