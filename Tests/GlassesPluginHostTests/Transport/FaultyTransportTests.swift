import Foundation
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("A transport that breaks the ABI is reported by name and harms nobody")
struct FaultyTransportTests {
    private struct Fault {
        let folder: TestFolder
        let host: PluginHost
        let misbehaviours = Collected<PluginMisbehaviour>()
        static let id = "org.example.faulty"

        init(
            _ isolation: PluginIsolation, _ macros: [String], checking: CallChecking = .maximal,
            policy: MisbehaviourPolicy = .ignore
        ) async throws {
            folder = try TestFolder()
            try PluginCatalogTests.manifest("faulty", into: folder)
            try await CCompiler.library(PluginSources.faultyTransport, to: folder.path + "/faulty/lib.so", macros)
            var configuration = PluginHostConfiguration.test([folder.path], isolation: isolation)
            configuration.checking = checking
            configuration.policy = policy
            configuration.supervision.call = .seconds(2)
            let reports = misbehaviours
            configuration.onMisbehaviour = { reports.append($0) }
            host = PluginHost(configuration: configuration)
        }

        func open() async throws -> any GlassesTransport {
            let result = await host.transport(id: Self.id)
            return try #require(result.success, "\(String(describing: result.failure))")
        }

        func failure() async -> ConnectError? { await host.transport(id: Self.id).failure }

        var kinds: [PluginMisbehaviour.Kind] { misbehaviours.all.map(\.kind) }
    }

    @Test("Without a fault nothing is reported", arguments: PluginIsolation.both)
    func isGoodWithoutFault(_ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, [])
        let transport = try await fault.open()
        #expect(await transport.connect(deviceId: "f").success?.modelName == "F")
        #expect(await transport.microphone?.open { _ in }.failure == nil)
        #expect(await transport.speaker?.open { _ in }.failure == nil)
        await transport.shutdown()
        #expect(fault.misbehaviours.all == [])
    }

    /// The macro, the function that is named, and what is said of it; every one still connects.
    static let reported: [(String, String, PluginMisbehaviour.Kind)] = [
        ("COMPLETE_TWICE", "glasses_transport_host.on_completed", .completedTwice),
        ("COMPLETE_UNKNOWN", "glasses_transport_host.on_completed", .unknownRequest),
        ("UNKNOWN_STATE", "glasses_transport_host.on_state", .unknownValue(77)),
        ("BAD_UTF8", "glasses_transport_host.on_event", .textNotUTF8),
        ("BAD_JSON", "glasses_transport_host.on_event", .notJSON),
        ("HUGE_TEXT", "glasses_transport_host.on_event", .textTooLong),
    ]

    @Test(
        "A broken rule is reported with its function, and the connection works", arguments: reported,
        PluginIsolation.both)
    func reports(
        _ fault: (macro: String, function: String, kind: PluginMisbehaviour.Kind), _ isolation: PluginIsolation
    ) async throws {
        let plugin = try await Fault(isolation, [fault.macro])
        let transport = try await plugin.open()
        #expect(await transport.connect(deviceId: nil).success != nil)
        let expected = PluginMisbehaviour(plugin: Fault.id, function: fault.function, kind: fault.kind)
        #expect(await eventually { plugin.misbehaviours.all == [expected] })
        #expect(plugin.misbehaviours.all.first?.description.contains(Fault.id) == true)
        await transport.shutdown()
    }

    @Test(
        "Without checks the same plugin is not reported, and works all the same", arguments: reported.map(\.0),
        PluginIsolation.both)
    func doesNotReport(_ macro: String, _ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, [macro], checking: .none)
        let transport = try await fault.open()
        #expect(await transport.connect(deviceId: nil).success != nil)
        #expect(fault.misbehaviours.all == [])
        await transport.shutdown()
    }

    @Test("With the policy disable an instance that broke a rule is called no more", arguments: PluginIsolation.both)
    func disables(_ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, ["COMPLETE_TWICE"], policy: .disable)
        let transport = try await fault.open()
        _ = await transport.connect(deviceId: nil)
        #expect(await eventually { !fault.misbehaviours.all.isEmpty })
        #expect(await transport.connect(deviceId: nil).failure?.code == "plugin_disabled")
        await transport.shutdown()
    }

    /// What goes wrong while the instance is made, and the code that the app gets.
    static let unusable: [([String], String)] = [
        (["NULL_TABLE"], "plugin_failed"), (["SHORT_TABLE"], "plugin_failed"), (["NULL_FUNCTION"], "plugin_failed"),
        (["HUGE_LENGTH"], "plugin_failed"), (["FACTS=\"\""], "plugin_failed"), (["FACTS=\"[]\""], "plugin_failed"),
        (["FACTS=\"{}\""], "plugin_failed"),
        (
            ["FACTS=\"{\\\"name\\\":\\\"x\\\",\\\"device\\\":{\\\"id\\\":\\\"f\\\"},\\\"microphoneRate\\\":0}\""],
            "plugin_failed"
        ),
        (
            ["FACTS=\"{\\\"name\\\":\\\"x\\\",\\\"device\\\":{\\\"id\\\":\\\"f\\\"},\\\"microphoneRate\\\":1e99}\""],
            "plugin_failed"
        ),
        (["FAIL_TO_ACTIVATE=GLASSES_ERROR_UNAVAILABLE"], "unavailable"),
        (["FAIL_TO_ACTIVATE=-9999"], "plugin_failed"), (["FAIL_TO_ACTIVATE=12"], "plugin_failed"),
    ]

    @Test("An instance that cannot be made fails with a code and a sentence", arguments: unusable, PluginIsolation.both)
    func failsToOpen(_ plugin: (macros: [String], code: String), _ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, plugin.macros)
        let failure = try #require(await fault.failure())
        #expect(failure.code == plugin.code)
        #expect(failure.description.contains(Fault.id))
    }

    @Test("A refused and a failed connect carry the plugin's words", arguments: PluginIsolation.both)
    func carriesFailures(_ isolation: PluginIsolation) async throws {
        let refused = try await Fault(isolation, ["REFUSE_CONNECT=GLASSES_ERROR_DENIED"]).open()
        #expect(await refused.connect(deviceId: nil).failure == .permissionDenied)
        let failed = try await Fault(isolation, ["FAIL_CONNECT=GLASSES_ERROR_UNAVAILABLE"]).open()
        #expect(
            await failed.connect(deviceId: nil).failure
                == .transportFailure(code: "radio_off", message: "Switch the radio on."))
        let unknown = try await Fault(isolation, ["REFUSE_CONNECT=-4711"]).open()
        #expect(await unknown.connect(deviceId: nil).failure?.code == "plugin_failed")
    }

    @Test("A connect that hangs in this process is answered, the plugin is named and called no more")
    func survivesHangingCall() async throws {
        let fault = try await Fault(.inProcess, ["HANG_IN_CONNECT"], checking: .none)
        let transport = try await fault.open()
        #expect(await transport.connect(deviceId: nil).failure?.code == "plugin_timeout")
        #expect(fault.kinds == [.hung(limit: .seconds(2))])
        #expect(fault.misbehaviours.all.first?.function == "glasses_transport.connect")
        #expect(await transport.connect(deviceId: nil).failure?.code == "plugin_disabled")
        await transport.shutdown()
        #expect(await fault.failure()?.code == "plugin_timeout")
    }

    @Test("A connect that hangs in a child is answered, the plugin is named, and another child takes the next one")
    func replacesHangingChild() async throws {
        let fault = try await Fault(.process, ["HANG_IN_CONNECT"], checking: .none)
        let transport = try await fault.open()
        #expect(await transport.connect(deviceId: nil).failure?.code == "plugin_timeout")
        #expect(await eventually { fault.kinds == [.hung(limit: .seconds(2))] })
        #expect(fault.misbehaviours.all.first?.function == "glasses_transport.connect")
        #expect(await transport.connect(deviceId: nil).failure?.code == "plugin_timeout")
        #expect(await eventually { fault.kinds.count == 2 })
        await transport.shutdown()
        #expect(await fault.failure() == nil)
    }

    @Test(
        "Whichever call hangs, it is answered and named",
        arguments: [
            ("DISCONNECT", "glasses_transport.disconnect"), ("START_MICROPHONE", "glasses_microphone.start"),
            ("START_SPEAKER", "glasses_speaker.start"), ("STOP", "glasses_microphone.stop"),
        ], PluginIsolation.both)
    func survivesEveryHang(_ call: (macro: String, function: String), _ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, ["HANGS_IN=\(call.macro)"], checking: .none)
        let transport = try await fault.open()
        #expect(await transport.connect(deviceId: nil).success != nil)
        let microphone = await transport.microphone?.open { _ in }
        if call.macro == "START_MICROPHONE" {
            #expect(microphone?.failure != nil)
        } else if call.macro == "START_SPEAKER" {
            #expect(await transport.speaker?.open { _ in }.failure != nil)
        } else if call.macro == "STOP" {
            await transport.microphone?.close()
        } else {
            await transport.disconnect()
        }
        #expect(await eventually { fault.kinds == [.hung(limit: .seconds(2))] })
        #expect(fault.misbehaviours.all.first?.function == call.function)
        await transport.shutdown()
    }

    @Test("A request that is never completed is answered at its limit", arguments: PluginIsolation.both)
    func survivesMissingCompletion(_ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, ["NEVER_COMPLETE"])
        let transport = try await fault.open()
        #expect(await transport.connect(deviceId: nil).failure?.code == "plugin_timeout")
        #expect(fault.kinds == [.notCompleted(limit: .seconds(10))])
        await transport.shutdown()
    }

    @Test("A callback after destroy finds nobody and is reported; in a child there is nothing left to call")
    func survivesLateCallback() async throws {
        let fault = try await Fault(.inProcess, ["CALL_AFTER_DESTROY"])
        let transport = try await fault.open()
        await transport.shutdown()
        #expect(await eventually { fault.kinds == [.callbackAfterDestroy] })
        var events = 0
        for await _ in transport.events { events += 1 }
        #expect(events == 0)
    }

    @Test("A destroy that hangs does not hold shutdown", arguments: PluginIsolation.both)
    func survivesHangingDestroy(_ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, ["HANG_IN_DESTROY"])
        await (try await fault.open()).shutdown()
        #expect(fault.kinds == [.hung(limit: .seconds(2))])
    }

    @Test(
        "A loudspeaker that does not carry out a flush is answered for in 100 ms, and counts as hung after a second",
        arguments: PluginIsolation.both)
    func survivesHangingSpeaker(_ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, ["HANG_IN_FLUSH", "NEVER_STOP"])
        let transport = try await fault.open()
        _ = await transport.connect(deviceId: nil)
        let speaker = try #require(transport.speaker)
        _ = await speaker.open { _ in }
        #expect(speaker.write([Int16](repeating: 1, count: 400)[...]) == 400)
        let position = await speaker.flush()
        #expect(position.frame == 0)
        #expect(await eventually { fault.kinds.contains(.notCompleted(limit: .seconds(1))) })
        await transport.shutdown()
        var errors: [String] = []
        for await event in transport.events { if case .errorEvent(let error) = event { errors.append(error.code) } }
        #expect(errors.contains("speaker_hung"))
    }

    @Test(
        "A poisoned ring leads nowhere outside its memory, and no position past what was written",
        arguments: PluginIsolation.both)
    func survivesPoisonedRing(_ isolation: PluginIsolation) async throws {
        let fault = try await Fault(isolation, ["POISON_RING"])
        let transport = try await fault.open()
        _ = await transport.connect(deviceId: nil)
        let (microphone, speaker) = (try #require(transport.microphone), try #require(transport.speaker))
        let blocks = Collected<PCMBlock>()
        let positions = Collected<PlaybackPosition>()
        #expect(await microphone.open { blocks.append($0) }.failure == nil)
        #expect(await speaker.open { positions.append($0) }.failure == nil)
        _ = speaker.write([Int16](repeating: 1, count: 1_000)[...])
        let cut = await speaker.flush()
        #expect((0...1_000).contains(cut.frame))
        await transport.shutdown()
        #expect(positions.all.allSatisfy { (0...1_000).contains($0.frame) })
        #expect(blocks.all.allSatisfy { (160...640).contains($0.samples.count) })
        #expect(fault.kinds.contains(.wrongPosition))
    }

    @Test("A plugin that is not there is named, with the way to install it", arguments: PluginIsolation.both)
    func namesMissing(_ isolation: PluginIsolation) async throws {
        let folder = try TestFolder()
        let host = PluginHost(configuration: .test([folder.path], isolation: isolation))
        let failure = try #require(await host.transport(id: "org.example.absent").failure)
        #expect(failure.code == "plugin_not_installed")
        #expect(failure.blame == .local)
        #expect(failure.description.contains("org.example.absent"))
        #expect(failure.description.contains("EXTENTOS_PLUGIN_PATH"))
    }
}
