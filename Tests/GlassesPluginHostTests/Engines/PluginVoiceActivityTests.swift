import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("A plugin's voice activity detector behind its port")
struct PluginVoiceActivityTests {
    /// A host with one compiled detector, and what its stream told.
    private struct Fixture {
        static let id = "org.example.detector"
        let folder: TestFolder
        let host: PluginHost
        let misbehaviours = Collected<PluginMisbehaviour>()
        let heard = Collected<VoiceActivity>()
        let failures = Collected<SpeechEngineError>()

        init(_ isolation: PluginIsolation, _ macros: [String] = []) async throws {
            folder = try TestFolder()
            try PluginCatalogTests.manifest("detector", into: folder, changes: ["kinds": ["vad"]])
            try await CCompiler.library(PluginSources.detector, to: folder.path + "/detector/lib.so", macros)
            var configuration = PluginHostConfiguration.test([folder.path], isolation: isolation)
            configuration.checking = .maximal
            if macros.contains("HANG") { configuration.supervision.call = .seconds(2) }
            let reports = misbehaviours
            configuration.onMisbehaviour = { reports.append($0) }
            host = PluginHost(configuration: configuration)
        }

        func engine() async throws -> any VoiceActivityEngine { try await host.voiceActivity(id: Self.id).get() }

        func start(_ engine: any VoiceActivityEngine) -> any VoiceActivityStream {
            engine.start(onActivity: { heard.append($0) }, onFailure: { failures.append($0) })
        }
    }

    /// Windows of 512 frames with one value each.
    private static func windows(_ values: Int16...) -> [Int16] {
        values.flatMap { [Int16](repeating: $0, count: 512) }
    }

    @Test(
        "Audio in pieces of any length is judged in order, and a reset drops what waits while counting goes on",
        arguments: PluginIsolation.both)
    func judges(_ isolation: PluginIsolation) async throws {
        let fixture = try await Fixture(isolation)
        let engine = try await fixture.engine()
        #expect(engine.id == "org.example.detector.fake-ear")
        #expect(engine.sampleRate == 16_000)
        let stream = fixture.start(engine)
        let audio = Self.windows(10, 90) + [Int16](repeating: 50, count: 100)
        for start in stride(from: 0, to: audio.count, by: 300) { stream.push(Array(audio[start...].prefix(300))) }
        stream.reset()
        stream.push(Self.windows(70))
        let expected = [
            VoiceActivity(firstFrame: 0, frames: 512, probability: 0.1),
            VoiceActivity(firstFrame: 512, frames: 512, probability: 0.9),
            VoiceActivity(firstFrame: 1_124, frames: 512, probability: 0.7),
        ]
        #expect(await eventually { fixture.heard.all.count == expected.count })
        #expect(fixture.heard.all == expected)
        stream.end()
        await engine.shutdown()
        #expect(fixture.heard.all == expected)
        #expect(fixture.failures.all == [])
        #expect(fixture.misbehaviours.all == [])
    }

    @Test(
        "A probability outside 0 to 1 is bounded, one that is no number counts as silence",
        arguments: PluginIsolation.both)
    func boundsProbabilities(_ isolation: PluginIsolation) async throws {
        let cases: [([String], Int16, Float)] = [([], 250, 1), ([], -5, 0), (["NOT_A_NUMBER"], 50, 0)]
        for (macros, value, expected) in cases {
            let fixture = try await Fixture(isolation, macros)
            let engine = try await fixture.engine()
            let stream = fixture.start(engine)
            stream.push(Self.windows(value))
            #expect(await eventually { fixture.heard.all.map(\.probability) == [expected] })
            stream.end()
            await engine.shutdown()
        }
    }

    /// What the plugin does, and what the stream's failure says.
    static let faults: [(String, String)] = [
        ("BUSY", "engine_busy"), ("FULL", "engine_busy"), ("FAIL", "engine_failed"), ("AHEAD", "engine_failed"),
        ("HANG", "timeout"),
    ]

    @Test(
        "A stream that the plugin refuses, fails, misjudges or hangs in fails once", arguments: faults,
        PluginIsolation.both)
    func fails(_ fault: (macro: String, code: String), _ isolation: PluginIsolation) async throws {
        let fixture = try await Fixture(isolation, [fault.macro])
        let engine = try await fixture.engine()
        let stream = fixture.start(engine)
        for _ in 0..<5 { stream.push(Self.windows(50)) }
        #expect(await eventually { !fixture.failures.all.isEmpty })
        stream.push(Self.windows(50))
        stream.end()
        await engine.shutdown()
        #expect(fixture.failures.all.map(\.code) == [fault.code])
        #expect(fixture.heard.all == [])
    }

    @Test(
        "A judgement of a stream that was never begun is reported and reaches nobody", arguments: PluginIsolation.both)
    func reportsStrangers(_ isolation: PluginIsolation) async throws {
        let fixture = try await Fixture(isolation, ["STRANGER"])
        let engine = try await fixture.engine()
        let stream = fixture.start(engine)
        stream.push([1])
        #expect(await eventually { fixture.misbehaviours.all.map(\.kind) == [.unknownRequest] })
        #expect(fixture.heard.all == [])
        stream.end()
        await engine.shutdown()
    }

    @Test("More than two seconds at once fail the stream instead of piling up", arguments: PluginIsolation.both)
    func isBounded(_ isolation: PluginIsolation) async throws {
        let fixture = try await Fixture(isolation)
        let engine = try await fixture.engine()
        let stream = fixture.start(engine)
        stream.push([Int16](repeating: 0, count: 2 * 16_000 + 1))
        #expect(fixture.failures.all.map(\.code) == ["engine_busy"])
        await engine.shutdown()
    }

    @Test("An engine that was ended, or whose model is missing, judges nothing", arguments: PluginIsolation.both)
    func isUnavailable(_ isolation: PluginIsolation) async throws {
        let fixture = try await Fixture(isolation)
        let engine = try await fixture.engine()
        let open = fixture.start(engine)
        await engine.shutdown()
        #expect(fixture.failures.all.map(\.code) == ["cancelled"])
        open.push([1])
        let late = fixture.start(engine)
        late.push([1])
        #expect(fixture.failures.all.map(\.code) == ["cancelled", "cancelled"])
        let missing = try await Fixture(isolation, ["MISSING_MODEL"]).host.voiceActivity(id: Fixture.id)
        #expect(throws: SpeechEngineError.self) { try missing.get() }
    }
}
