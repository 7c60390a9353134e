import CGlassesPlugin
import GlassesPluginKit
import Synchronization
import Testing

/// A transport with a microphone and no loudspeaker, whose requests the test ends by hand.
private final class DemoTransport: MicrophonePlugin {
    static let last = Mutex<DemoTransport?>(nil)

    let host: TransportHost
    let requests = Mutex<[PluginRequest]>([])
    let wasShutDown = Mutex(false)

    init(settings: PluginSettings, host: TransportHost) throws(PluginFailure) {
        if try settings.bool("refuse") == true { throw .invalid("refused", "Do not refuse.") }
        self.host = host
        DemoTransport.last.withLock { $0 = self }
    }

    var description: TransportDescription {
        TransportDescription(
            name: "Demo", device: PluginDevice(id: "d", modelName: "D", vendor: "v"), microphoneRate: 16_000)
    }

    func startMicrophone(_ request: PluginRequest, ring: AudioRing) throws(PluginFailure) {
        guard ring.capacity > 0 else { throw .wrongState("No room.") }
        requests.withLock { $0.append(request) }
    }

    func stopMicrophone(_ request: PluginRequest) throws(PluginFailure) { throw .wrongState("Not started.") }

    func shutdown() { wasShutDown.withLock { $0 = true } }
}

/// What the host's callbacks received.
private final class Heard: Sendable {
    let completions = Collected<[Int]>()
    let states = Collected<Int>()
    let details = Collected<String>()
}

@Suite("A plugin in Swift, seen through the C structs", .serialized)
struct PluginEntryTests {
    private let heard = Heard()

    private func makeHost() -> UnsafePointer<glasses_transport_host> {
        let table = UnsafeMutablePointer<glasses_transport_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_transport_host(
                size: UInt32(MemoryLayout<glasses_transport_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(heard).toOpaque(),
                on_state: { context, state, detail in
                    context.map { Unmanaged<Heard>.fromOpaque($0).takeUnretainedValue() }?.states.append(Int(state))
                },
                on_completed: { context, request, result, detail in
                    let heard = context.map { Unmanaged<Heard>.fromOpaque($0).takeUnretainedValue() }
                    heard?.completions.append([Int(request), Int(result)])
                    if let detail { heard?.details.append(String(cString: detail)) }
                }, on_event: { _, _ in }))
        return UnsafePointer(table)
    }

    private func makeTransport(_ settings: String = "{}") throws -> glasses_transport {
        let entry = try #require(PluginEntry.make(transport: DemoTransport.self)).pointee
        #expect(entry.magic == UInt32(GLASSES_ENTRY_MAGIC))
        #expect(entry.get_factory(GLASSES_FACTORY_STT) == nil)
        let factory = try #require(entry.get_factory(GLASSES_FACTORY_TRANSPORT))
            .assumingMemoryBound(to: glasses_transport_factory.self).pointee
        var made: UnsafePointer<glasses_transport>?
        #expect(factory.create(makeHost(), settings, &made) == GLASSES_OK)
        let table = try #require(made).pointee
        #expect(table.activate(table.instance) == GLASSES_OK)
        return table
    }

    @Test("What the plugin can do follows from its conformances")
    func derivesExtensions() throws {
        let table = try makeTransport()
        #expect(table.get_extension(table.instance, GLASSES_EXT_MICROPHONE) != nil)
        #expect(table.get_extension(table.instance, GLASSES_EXT_SPEAKER) == nil)
        var text = [CChar](repeating: 0, count: 4_096)
        var length = 0
        #expect(table.describe(table.instance, &text, 10, &length) == GLASSES_ERROR_TOO_LARGE)
        #expect(length > 10)
        #expect(table.describe(table.instance, &text, text.count, &length) == GLASSES_OK)
        let facts = try PluginJSON(text: String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self))
        guard case .object(let members) = facts else {
            Issue.record("no object")
            return
        }
        #expect(members["microphoneRate"] == 16_000)
        #expect(members["speakerRate"] == nil)
        #expect(members["capabilities"] == ["camera": false, "display": false, "microphone": true, "speaker": false])
        table.destroy(table.instance)
    }

    @Test("The default connect reports the device and completes once; disconnect likewise")
    func connectsByDefault() throws {
        let table = try makeTransport()
        #expect(table.connect(table.instance, 1, nil) == GLASSES_OK)
        #expect(table.disconnect(table.instance, 2) == GLASSES_OK)
        #expect(heard.states.all == [GLASSES_DEVICE_CONNECTED, GLASSES_DEVICE_DISCONNECTED])
        #expect(heard.completions.all == [[1, GLASSES_OK], [2, GLASSES_OK]])
        table.destroy(table.instance)
    }

    @Test("A request ends once: by the plugin, by being dropped, or by the end of the instance")
    func endsRequestsOnce() throws {
        let table = try makeTransport()
        let plugin = try #require(DemoTransport.last.withLock { $0 })
        let microphone = try #require(table.get_extension(table.instance, GLASSES_EXT_MICROPHONE))
            .assumingMemoryBound(to: glasses_microphone.self).pointee
        var ring = glasses_ring()
        #expect(microphone.start(table.instance, 3, &ring) == GLASSES_ERROR_STATE)
        ring.capacity = 10
        for id in 4...6 as ClosedRange<UInt64> { #expect(microphone.start(table.instance, id, &ring) == GLASSES_OK) }
        let requests = plugin.requests.withLock { requests in
            defer { requests = [requests[2]] }
            return [requests[0]]
        }
        requests[0].complete()
        requests[0].fail(.cancelled)
        #expect(microphone.stop(table.instance, 7) == GLASSES_ERROR_STATE)
        table.destroy(table.instance)
        #expect(plugin.wasShutDown.withLock { $0 })
        plugin.host.reportDisconnected(.deviceDropped)
        #expect(
            heard.completions.all == [[5, GLASSES_ERROR_FAILED], [4, GLASSES_OK], [6, GLASSES_ERROR_CANCELLED]])
        #expect(heard.states.all.isEmpty)
        #expect(heard.details.all.first?.contains("request_dropped") == true)
    }

    @Test("Settings that the plugin refuses, or that are no object, make no instance")
    func refusesSettings() throws {
        let entry = try #require(PluginEntry.make(transport: DemoTransport.self)).pointee
        let factory = try #require(entry.get_factory(GLASSES_FACTORY_TRANSPORT))
            .assumingMemoryBound(to: glasses_transport_factory.self).pointee
        for settings in [#"{"refuse":true}"#, #"{"refuse":"yes"}"#, "[]", "{"] {
            var made: UnsafePointer<glasses_transport>?
            #expect(factory.create(makeHost(), settings, &made) == GLASSES_ERROR_INVALID)
            #expect(made == nil)
        }
    }
}
