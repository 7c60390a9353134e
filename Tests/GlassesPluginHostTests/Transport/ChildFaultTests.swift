import Foundation
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("Whatever a plugin does to its child, the host answers with a cause and goes on")
struct ChildFaultTests {
    /// A compiled plugin in a child, past the scan: what breaks while a library is loaded would not come through its probe.
    private struct Fault {
        static let id = "org.example.fault"
        let folder: TestFolder
        let host: PluginHost
        let found: FoundPlugin
        let lines = Collected<PluginLogLine>()

        init(_ source: String, _ macros: [String]) async throws {
            folder = try TestFolder()
            let library = folder.path + "/libfault.so"
            try await CCompiler.library(source, to: library, macros)
            var configuration = PluginHostConfiguration.test([], isolation: .process)
            if macros.contains(where: { $0.hasPrefix("LOOP") || $0.hasPrefix("HANG") }) {
                configuration.supervision.call = .seconds(2)
            }
            let log = lines
            configuration.onLog = { log.append($0) }
            host = PluginHost(configuration: configuration)
            let manifest = PluginManifest(
                id: Self.id, name: "Fault", version: "1.0.0", abi: .host, kinds: [.transport])
            found = FoundPlugin(manifest: manifest, library: library, factories: [])
        }

        func open() async -> Result<PluginTransport, PluginFailureReport> {
            let monitor = host.monitor(of: Self.id, inChild: true)
            let requests = RequestTable(monitor: monitor)
            let log = host.configuration.onLog
            let inbox = TransportInbox(requests: requests) {
                log(PluginLogLine(plugin: Self.id, severity: .info, text: $0))
            }
            return await host.openInChild(found, .transport, .object([:]), monitor) { setup in
                await ChildTransport.open(setup, requests: requests, deliver: { inbox.receive($0) })
            }.map { PluginTransport(instance: $0, requests: requests, monitor: monitor, inbox: inbox) }
        }
    }

    /// What goes wrong before there is an instance, the code, and a part of the sentence.
    static let unopened: [(source: String, macro: String, code: String, words: String)] = [
        (PluginSources.entry, "ABORT_IN_CONSTRUCTOR", "plugin_crashed", "signal 6"),
        (PluginSources.entry, "EXIT_IN_CONSTRUCTOR", "plugin_crashed", "status 0"),
        (PluginSources.entry, "HANG_IN_ACTIVATE", "plugin_timeout", "glasses_transport.activate"),
        (PluginSources.entry, "REFUSE_TO_ACTIVATE", "activation_refused", "-5"),
        (PluginSources.entry, "NO_ENTRY", "entry_missing", "glasses_plugin_entry"),
        (PluginSources.entry, "NULL_ENTRY", "entry_invalid", "entry"),
        (PluginSources.entry, "ABI=9", "abi_unsupported", "9.0"),
        (PluginSources.entry, "NONE", "unavailable", "glasses_transport_factory.create"),
        (PluginSources.faultyTransport, "CRASH_IN_INSTANCE", "plugin_crashed", "signal 11"),
        (PluginSources.faultyTransport, "HANG_IN_INSTANCE", "plugin_timeout", "glasses_transport.activate"),
        (PluginSources.faultyTransport, "HANGS_IN=ENTRY_POINT", "plugin_timeout", "glasses_transport.activate"),
        (PluginSources.faultyTransport, "HANGS_IN=GET_FACTORY", "plugin_timeout", "glasses_transport.activate"),
        (PluginSources.faultyTransport, "HANGS_IN=CREATE", "plugin_timeout", "glasses_transport.activate"),
        (PluginSources.faultyTransport, "HANGS_IN=DESCRIBE", "plugin_timeout", "glasses_transport.activate"),
        (PluginSources.faultyTransport, "HANGS_IN=GET_EXTENSION", "plugin_timeout", "glasses_transport.activate"),
    ]

    @Test("A plugin that cannot be opened says why", arguments: unopened)
    func failsToOpen(_ fault: (source: String, macro: String, code: String, words: String)) async throws {
        let result = await (try await Fault(fault.source, [fault.macro])).open()
        guard case .failure(let failure) = result else {
            Issue.record("It was opened.")
            return
        }
        #expect(failure.code == fault.code)
        #expect(failure.message.contains(fault.words))
    }

    /// What goes wrong in connect, the code, and a part of the sentence.
    static let inConnect: [(macro: String, code: String, words: String)] = [
        ("CRASH_IN_CONNECT", "plugin_crashed", "signal 11"), ("ABORT_IN_CONNECT", "plugin_crashed", "signal 6"),
        ("EXIT_IN_CONNECT", "plugin_crashed", "status 0"),
        ("LOOP_IN_CONNECT", "plugin_timeout", "glasses_transport.connect"),
        ("CRASH_IN_CALLBACK", "plugin_crashed", "signal 11"),
        ("EAT_MEMORY_IN_CONNECT", "plugin_crashed", "signal 11"),
    ]

    @Test(
        "A request that ends its child ends with the cause, three times, and another instance works",
        arguments: inConnect)
    func failsInConnect(_ fault: (macro: String, code: String, words: String)) async throws {
        let plugin = try await Fault(PluginSources.faultyTransport, [fault.macro])
        let transport = try await plugin.open().get()
        let child = try #require(transport.instance as? ChildTransport)
        let failure = await transport.connect(deviceId: nil).failure
        #expect(failure?.code == fault.code)
        #expect(failure?.description.contains(fault.words) == true, "\(String(describing: failure))")
        #expect(await eventually { child.restarts == 1 && child.isDelivering })
        await transport.shutdown()
        #expect(child.process == nil)
    }

    @Test("A crash in the middle of a frame starts capture again, until the third one is the end")
    func crashesInFrame() async throws {
        let plugin = try await Fault(PluginSources.faultyTransport, ["CRASH_IN_FRAME"])
        let transport = try await plugin.open().get()
        let child = try #require(transport.instance as? ChildTransport)
        #expect(await transport.connect(deviceId: nil).success != nil)
        let blocks = Collected<PCMBlock>()
        #expect(await transport.microphone?.open { blocks.append($0) }.failure == nil)
        #expect(await eventually { child.restarts == 2 })
        var states = transport.events.makeAsyncIterator()
        var last: TransportEvent?
        while let event = await states.next() {
            last = event
            if case .stateChanged(.disconnected) = event { break }
        }
        guard case .stateChanged(.disconnected(.transportFailure(let cause))) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(cause.description.contains("signal 11"))
        #expect(blocks.all.allSatisfy { $0.samples.allSatisfy { $0 == 5 } })
        #expect(blocks.all.reduce(0) { $0 + $1.samples.count } > 2 * 10 * 160)
        await transport.shutdown()
    }

    @Test("A plugin that writes past its ring hurts nobody but itself")
    func writesPastRing() async throws {
        let plugin = try await Fault(PluginSources.faultyTransport, ["WRITE_PAST_RING"])
        let transport = try await plugin.open().get()
        #expect(await transport.connect(deviceId: nil).success != nil)
        let blocks = Collected<PCMBlock>()
        _ = await transport.microphone?.open { blocks.append($0) }
        #expect(await eventually { plugin.lines.all.contains { $0.text.contains("signal 11") } })
        await transport.shutdown()
        #expect(blocks.all.allSatisfy { (160...640).contains($0.samples.count) })
    }

    @Test("A flood of events is dropped and counted, and calls are answered all the same")
    func survivesFlood() async throws {
        let plugin = try await Fault(PluginSources.faultyTransport, ["FLOOD"])
        let transport = try await plugin.open().get()
        #expect(await transport.connect(deviceId: nil).success != nil)
        #expect(
            await eventually(within: .seconds(20)) { plugin.lines.all.contains { $0.text.contains("were dropped") } })
        await transport.disconnect()
        await transport.shutdown()
        #expect((transport.instance as? ChildTransport)?.process == nil)
    }

    @Test("A crash in destroy, or one that hangs there, does not hold shutdown", arguments: ["CRASH", "HANG"])
    func survivesDestroy(_ fault: String) async throws {
        let plugin = try await Fault(PluginSources.faultyTransport, [fault + "_IN_DESTROY"])
        let transport = try await plugin.open().get()
        let child = try #require(transport.instance as? ChildTransport)
        await transport.shutdown()
        #expect(child.process == nil)
    }
}
