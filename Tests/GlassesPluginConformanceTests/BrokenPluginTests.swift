import GlassesDomain
import GlassesPluginHost
import Testing

@testable import GlassesPluginConformance

@Suite("A broken plugin fails exactly the promise that it breaks")
struct BrokenPluginTests {
    /// A fault, the case that has to find it, and how that ends.
    struct Row: Sendable, CustomTestStringConvertible {
        var plugin: BrokenPlugin
        var caseId: String
        var verdict: ConformanceVerdict

        init(_ kind: PluginKind, _ fault: String, _ caseId: String, _ verdict: ConformanceVerdict = .fail) {
            plugin = BrokenPlugin(kind: kind, fault: fault)
            self.caseId = caseId
            self.verdict = verdict
        }

        var testDescription: String { "\(plugin.testDescription): \(caseId)" }
    }

    static let entry = [
        Row(.transport, "EXTRA_SYMBOL", "manifest.exports"),
        Row(.transport, "OFFERS_UNNAMED", "manifest.kinds"),
        Row(.transport, "UNLISTED_CAPABILITY", "manifest.capabilities"),
        Row(.transport, "NO_ENTRY", "entry.present"),
        Row(.transport, "NULL_ENTRY", "entry.present"),
        Row(.transport, "ABORTS_ON_LOAD", "entry.present", .crash),
        Row(.transport, "EXITS_ON_LOAD", "entry.present", .crash),
        Row(.transport, "HANGS_ON_LOAD", "entry.present", .hang),
        Row(.transport, "WRONG_MAGIC", "entry.struct"),
        Row(.transport, "SMALL_ENTRY", "entry.struct"),
        Row(.transport, "NULL_SHUTDOWN", "entry.struct"),
        Row(.transport, "OTHER_ABI", "entry.version"),
        Row(.transport, "MOVING_ENTRY", "entry.constant"),
        Row(.transport, "REFUSES_TO_ACTIVATE", "entry.activate"),
        Row(.transport, "CRASHES_ON_ACTIVATE", "entry.activate", .crash),
        Row(.transport, "HANGS_ON_ACTIVATE", "entry.activate", .hang),
        Row(.transport, "OPENS_DEVICE", "entry.no-device"),
        Row(.transport, "REFUSES_NEWER_HOST", "entry.newer-host"),
        Row(.transport, "ACCEPTS_OTHER_MAJOR", "entry.other-major"),
        Row(.transport, "IGNORES_HOST_SIZE", "entry.smaller-host", .crash),
        Row(.transport, "NEEDS_LOG", "entry.plain-host", .crash),
        Row(.transport, "PREFIX_FACTORY", "entry.unknown-factory"),
        Row(.transport, "SMALL_FACTORY", "entry.factories"),
        Row(.transport, "LEAVES_THREAD", "entry.shutdown"),
        Row(.transport, "HANGS_ON_SHUTDOWN", "entry.shutdown", .hang),
    ]

    static let instances = [
        Row(.transport, "NULL_FUNCTION", "transport.create"),
        Row(.transport, "SMALL_TABLE", "transport.create"),
        Row(.transport, "NO_INSTANCE", "transport.create"),
        Row(.stt, "CRASHES_IN_CREATE", "stt.create", .crash),
        Row(.transport, "STRICT_SETTINGS", "transport.unknown-settings"),
        Row(.transport, "SHORT_SETTINGS", "transport.large-settings"),
        Row(.transport, "RECURSES_SETTINGS", "transport.deep-settings", .crash),
        Row(.transport, "ANY_SETTINGS", "transport.invalid-settings"),
        Row(.transport, "REFUSES_NEWER_CALLBACKS", "transport.newer-host"),
        Row(.transport, "IGNORES_CALLBACKS_SIZE", "transport.smaller-host", .crash),
        Row(.tts, "FAILS_TO_ACTIVATE", "tts.activate"),
        Row(.stt, "HANGS_IN_INSTANCE", "stt.activate", .hang),
        Row(.transport, "NOT_JSON", "transport.describe"),
        Row(.transport, "NO_RATE", "transport.describe"),
        Row(.stt, "NO_LANGUAGES", "stt.describe"),
        Row(.transport, "WRONG_LENGTH", "transport.describe-buffer"),
        Row(.transport, "OVERRUNS_BUFFER", "transport.describe-buffer", .crash),
        Row(.transport, "CHANGING_FACTS", "transport.describe-constant"),
        Row(.transport, "SLOW_DESTROY", "transport.destroy"),
        Row(.transport, "CALLS_AFTER_DESTROY", "transport.destroy"),
        Row(.transport, "CRASHES_EARLY", "transport.early-destroy", .crash),
        Row(.transport, "SHARED_LIFE", "transport.instances"),
        Row(.transport, "LEAKS_INSTANCE", "transport.instance-cycles"),
        Row(.transport, "LEAKS_DESCRIPTOR", "transport.instance-cycles"),
    ]

    static let transports = [
        Row(.transport, "MISSING_EXTENSION", "transport.extensions"),
        Row(.transport, "SMALL_EXTENSION", "transport.extensions"),
        Row(.transport, "ANY_EXTENSION", "transport.unknown-extension"),
        Row(.transport, "NEVER_CONNECTS", "transport.connect"),
        Row(.transport, "CRASHES_IN_CONNECT", "transport.connect", .crash),
        Row(.transport, "HANGS_IN_CONNECT", "transport.connect", .hang),
        Row(.transport, "SILENT_CONNECT", "transport.connected"),
        Row(.transport, "NEVER_DISCONNECTS", "transport.disconnect"),
        Row(.transport, "NO_CAUSE", "transport.disconnected"),
        Row(.transport, "CONNECTS_ONCE", "transport.reconnect"),
        Row(.transport, "ANY_DEVICE", "transport.unknown-device"),
        Row(.transport, "LEAKS_PER_CONNECT", "transport.connect-cycles"),
        Row(.transport, "COMPLETES_TWICE", "transport.one-ending"),
        Row(.transport, "ENDS_REFUSED", "transport.one-ending"),
        Row(.transport, "SLOW_CONNECT", "transport.at-once"),
        Row(.transport, "UNKNOWN_STATE", "transport.known-values"),
        Row(.transport, "EVENT_NOT_JSON", "transport.texts"),
        Row(.transport, "EVENT_NOT_UTF8", "transport.texts"),
        Row(.transport, "EVENT_TOO_LONG", "transport.texts"),
        Row(.transport, "CALLS_FROM_AUDIO", "transport.callback-threads"),
        Row(.transport, "SLOW_DESTROY_CONNECTED", "transport.destroy-connected"),
        Row(.transport, "FORGETS_PENDING", "transport.destroy-pending"),
        Row(.transport, "LAST_INSTANCE", "transport.own-callbacks"),
    ]

    static let streams = [
        Row(.transport, "NEVER_STARTS", "microphone.start"),
        Row(.transport, "STARTS_UNCONNECTED", "microphone.unconnected"),
        Row(.transport, "STARTS_TWICE", "microphone.start-twice"),
        Row(.transport, "STARTS_AFTER_DISCONNECT", "microphone.late-start"),
        Row(.transport, "TOUCHES_AFTER_STOP", "microphone.stop"),
        Row(.transport, "NEVER_STOPS", "microphone.stop"),
        Row(.transport, "STARTS_ONCE", "microphone.restart"),
        Row(.transport, "DISCONNECT_KEEPS_STREAM", "microphone.disconnect"),
        Row(.transport, "DESTROY_KEEPS_STREAM", "microphone.destroy"),
        Row(.transport, "LEAKS_PER_START", "microphone.cycles"),
        Row(.transport, "NO_SAMPLES", "microphone.flow"),
        Row(.transport, "LONG_BLOCKS", "microphone.blocks"),
        Row(.transport, "NO_TIMES", "microphone.blocks"),
        Row(.transport, "WALL_CLOCK", "microphone.times"),
        Row(.transport, "FAST_TIMES", "microphone.times"),
        Row(.transport, "FORGETS_WAKE", "microphone.wake"),
        Row(.transport, "OVERWRITES", "microphone.full"),
        Row(.transport, "FORGETS_DROPPED", "microphone.full"),
        Row(.transport, "WRITES_PAST_END", "microphone.bounds"),
        Row(.transport, "CHANGES_RATE", "microphone.bounds"),
        Row(.transport, "NEVER_PLAYS", "speaker.plays"),
        Row(.transport, "AHEAD", "speaker.positions"),
        Row(.transport, "PLAYS_TOO_FAST", "speaker.pace"),
        Row(.transport, "REPORTS_RARELY", "speaker.reports"),
        Row(.transport, "COUNTS_SILENCE", "speaker.silence"),
        Row(.transport, "CHANGES_SAMPLES", "speaker.bounds"),
        Row(.transport, "IGNORES_FLUSH", "speaker.flush"),
        Row(.transport, "FLUSH_KEEPS_SOUND", "speaker.flush"),
        Row(.transport, "FLUSH_ON_HOST_ONLY", "speaker.flush-thread"),
        Row(.transport, "FIRST_FLUSH_WINS", "speaker.flush-later"),
        Row(.transport, "MUTE_AFTER_FLUSH", "speaker.after-flush"),
    ]

    static let pictures = [
        Row(.transport, "NO_FIRST_FRAME", "camera.start"),
        Row(.transport, "CAMERA_UNCONNECTED", "camera.unconnected"),
        Row(.transport, "CAMERA_TWICE", "camera.start-twice"),
        Row(.transport, "ANY_CONFIGURATION", "camera.configuration"),
        Row(.transport, "NARROW_STRIDE", "camera.frames"),
        Row(.transport, "PLANE_OUTSIDE", "camera.frames"),
        Row(.transport, "OTHER_SIZE", "camera.frames"),
        Row(.transport, "OTHER_FORMAT", "camera.frames"),
        Row(.transport, "SAME_TIME", "camera.times"),
        Row(.transport, "SAME_NUMBER", "camera.times"),
        Row(.transport, "CAMERA_FORGETS_WAKE", "camera.wake"),
        Row(.transport, "TOO_MANY_FRAMES", "camera.rate"),
        Row(.transport, "KEEPS_OLDEST", "camera.oldest"),
        Row(.transport, "WRITES_READ_SLOT", "camera.reading"),
        Row(.transport, "WRITES_PAST_SLOTS", "camera.bounds"),
        Row(.transport, "CAMERA_TOUCHES_AFTER_STOP", "camera.stop"),
        Row(.transport, "CAMERA_ONCE", "camera.restart"),
        Row(.transport, "CAMERA_OUTLIVES_DISCONNECT", "camera.disconnect"),
        Row(.transport, "CAMERA_OUTLIVES_INSTANCE", "camera.destroy"),
        Row(.transport, "LEAKS_PER_STREAM", "camera.cycles"),
        Row(.transport, "NO_PHOTO", "camera.photo"),
        Row(.transport, "PHOTO_NO_JPEG", "camera.photo"),
        Row(.transport, "PHOTO_ENDS_TWICE", "camera.one-photo"),
        Row(.transport, "NEVER_SHOWS", "display.show"),
        Row(.transport, "NEVER_CLEARS", "display.clear"),
        Row(.transport, "SHOWS_UNCONNECTED", "display.unconnected"),
        Row(.transport, "ANY_TREE", "display.invalid-tree"),
        Row(.transport, "STRICT_TREE", "display.unknown-kinds"),
        Row(.transport, "NO_TREE_LIMIT", "display.large-tree"),
        Row(.transport, "SHOWS_TWICE", "display.one-ending"),
        Row(.transport, "NO_REGISTRATION_STATE", "registration.state"),
        Row(.transport, "ANSWERS_TWICE", "registration.check"),
        Row(.transport, "ANY_PERMISSION", "registration.unknown-permission"),
        Row(.transport, "TAKES_ANY_URL", "registration.url"),
        Row(.transport, "NO_URL_LIMIT", "registration.long-url"),
        Row(.transport, "PERMISSION_ENDS_TWICE", "registration.one-ending"),
        Row(.transport, "WILD_BATTERY", "power.report"),
        Row(.transport, "WILD_GESTURE", "input.gestures"),
    ]

    static let engines = [
        Row(.stt, "FAILS", "stt.utterance"),
        Row(.stt, "ENDS_TWICE", "stt.one-ending"),
        Row(.stt, "CALLS_AFTER_END", "stt.one-ending"),
        Row(.stt, "NEWEST_FIRST", "stt.order"),
        Row(.stt, "TEXT_NOT_UTF8", "stt.texts"),
        Row(.stt, "WILD_CONFIDENCE", "stt.texts"),
        Row(.stt, "UNKNOWN_RESULT", "stt.known-values"),
        Row(.stt, "KEEPS_POINTER", "stt.copy", .crash),
        Row(.stt, "SLOW_CALL", "stt.at-once"),
        Row(.stt, "NO_LIMIT", "stt.open-limit"),
        Row(.stt, "LOW_LIMIT", "stt.open-limit"),
        Row(.stt, "NO_AUDIO_LIMIT", "stt.audio-limit"),
        Row(.stt, "LOW_AUDIO_LIMIT", "stt.audio-limit"),
        Row(.stt, "ANSWERS_GONE", "stt.after-end"),
        Row(.stt, "CANCEL_IS_OK", "stt.cancel"),
        Row(.stt, "FORGETS_OPEN", "stt.destroy-open"),
        Row(.stt, "LAST_INSTANCE", "stt.own-callbacks"),
        Row(.stt, "LEAKS_REQUEST", "stt.cycles"),
        Row(.stt, "ONE_THREAD_ONLY", "stt.any-thread"),
        Row(.vad, "NO_JUDGEMENTS", "vad.stream"),
        Row(.vad, "GAPS", "vad.order"),
        Row(.vad, "WILD_PROBABILITY", "vad.probability"),
        Row(.vad, "IGNORES_RESET", "vad.reset"),
        Row(.vad, "KEEPS_POINTER", "vad.copy", .crash),
        Row(.vad, "LOW_LIMIT", "vad.open-limit"),
        Row(.vad, "NO_LIMIT", "vad.open-limit"),
        Row(.vad, "LOW_AUDIO_LIMIT", "vad.audio-limit"),
        Row(.vad, "NO_AUDIO_LIMIT", "vad.audio-limit"),
        Row(.vad, "JUDGES_AFTER_END", "vad.end"),
        Row(.vad, "ANSWERS_GONE", "vad.after-end"),
        Row(.vad, "FORGETS_OPEN", "vad.destroy-open"),
        Row(.vad, "LAST_INSTANCE", "vad.own-callbacks"),
        Row(.vad, "LEAKS_REQUEST", "vad.cycles"),
        Row(.vad, "SLOW_CALL", "vad.at-once"),
        Row(.vad, "ONE_THREAD_ONLY", "vad.any-thread"),
        Row(.tts, "NO_AUDIO", "tts.speak"),
        Row(.tts, "ENDS_TWICE", "tts.one-ending"),
        Row(.tts, "CALLS_AFTER_END", "tts.one-ending"),
        Row(.tts, "TEXT_NOT_UTF8", "tts.known-values"),
        Row(.tts, "STRICT_OPTIONS", "tts.options"),
        Row(.tts, "ANY_OPTIONS", "tts.invalid-options"),
        Row(.tts, "SLOW_CALL", "tts.at-once"),
        Row(.tts, "NO_TEXT_LIMIT", "tts.long-text"),
        Row(.tts, "NO_LIMIT", "tts.waiting-limit"),
        Row(.tts, "LOW_LIMIT", "tts.waiting-limit"),
        Row(.tts, "CANCEL_IS_OK", "tts.cancel"),
        Row(.tts, "IGNORES_REFUSAL", "tts.refused-audio"),
        Row(.tts, "ANSWERS_GONE", "tts.after-end"),
        Row(.tts, "FORGETS_OPEN", "tts.destroy-open"),
        Row(.tts, "LAST_INSTANCE", "tts.own-callbacks"),
        Row(.tts, "LEAKS_REQUEST", "tts.cycles"),
        Row(.tts, "ONE_THREAD_ONLY", "tts.any-thread"),
    ]

    @Test(
        "Of the promises about the same part, only that one fails",
        arguments: entry + instances + transports + streams + pictures + engines)
    func failsItsCase(_ row: Row) async throws {
        try await Turnstile.shared.pass {
            let folder = try TestFolder()
            let manifest = row.plugin.fault == "UNLISTED_CAPABILITY" ? ["capabilities": "[\"speaker\"]"] : [:]
            let package = try await row.plugin.make(in: folder, manifest: manifest)
            let subject = try #require(ConformanceCatalog.named(row.caseId)).subject
            var options = ConformanceRunner.Options.test
            options.only = Set(ConformanceCatalog.all.filter { $0.subject == subject }.map(\.id))
            // What a part is built on is tried by its own rows; the first two stand on each other.
            options.triesNeeds = [.manifest, .entry].contains(subject)
            let report = try await ConformanceRunner(options: options).run(package)
            let failed = report.results.filter(\.verdict.isFailure)
            #expect(failed.map(\.id) == [row.caseId], "\(failed)")
            #expect(failed.map(\.verdict) == [row.verdict], "\(failed)")
            #expect(failed.allSatisfy { $0.reason?.hasSuffix(".") == true }, "\(failed)")
        }
    }

    @Test("Every promise is broken by somebody, or has a test of its own")
    func everyCaseIsTried() {
        let rows = Self.entry + Self.instances + Self.transports + Self.streams + Self.pictures + Self.engines
        let broken = Set(rows.map(\.caseId))
        // The manifest's are in ManifestCaseTests. What transports, recognisers and synthesisers share, and both streams, is
        // one piece of code, which one of them tries.
        let shared = ConformanceCatalog.all.map(\.id).filter { id in
            let name = id.split(separator: ".").last ?? ""
            return broken.contains { $0.hasSuffix("." + name) }
        }
        let missing = Set(ConformanceCatalog.all.map(\.id)).subtracting(broken).subtracting(shared)
        #expect(missing == ["manifest.readable", "manifest.digest"])
    }
}

@Suite("An intact plugin passes everything")
struct IntactPluginTests {
    @Test(
        "The plugin that the broken ones are made of breaks nothing",
        arguments: [PluginKind.transport, .stt, .tts, .vad])
    func passes(_ kind: PluginKind) async throws {
        try await Turnstile.shared.pass {
            let folder = try TestFolder()
            let package = try await BrokenPlugin(kind: kind, fault: "INTACT").make(in: folder)
            let report = try await ConformanceRunner(options: .test).run(package)
            let others = report.results.filter { $0.verdict != .pass }
            #expect(
                others.map(\.id) == ["manifest.digest"] + (kind == .transport ? [] : ["manifest.capabilities"]),
                "\(others)")
        }
    }

    @Test("LoopbackTransport breaks nothing, also not after a thousand starts")
    func loopback() async throws {
        try await Turnstile.shared.pass {
            var options = ConformanceRunner.Options.test
            options.cycles = 1_000
            options.limit = nil
            options.settings = ["camera": true, "display": true, "companion": "agrees", "reports": true]
            let package = try PluginPackage(path: buildFolder + "/libLoopbackTransport.so")
            let report = try await ConformanceRunner(options: options).run(package)
            let others = report.results.filter { $0.verdict != .pass }
            #expect(others.map(\.id) == ["manifest.digest", "camera.one-photo"], "\(others)")
            #expect(report.results.allSatisfy { $0.verdict != .pass || $0.reason == nil }, "a case ran out of time")
        }
    }
}

extension ConformanceRunner.Options {
    /// Small enough for a test run, large enough to find a leak of 64 KiB a cycle.
    static var test: Self {
        var options = Self()
        options.cycles = 120
        options.width = 3
        options.limit = .seconds(15)
        options.program = buildFolder + "/" + ValidatorMain.programName
        return options
    }
}
