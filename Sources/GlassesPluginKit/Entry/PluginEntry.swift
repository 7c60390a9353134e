public import CGlassesPlugin
import Synchronization

/// The entry of a plugin that is written in Swift. The whole glue of a plugin is one exported function:
///
/// ```swift
/// import CGlassesPlugin
/// import GlassesPluginKit
///
/// @c(glasses_plugin_entry)
/// public func glassesPluginEntry() -> UnsafePointer<glasses_entry>? {
///     PluginEntry.make(transport: MyTransport.self)
/// }
/// ```
///
/// What a plugin can do follows from the types given here and from their conformances.
public enum PluginEntry {
    private struct Registration {
        var host: UnsafePointer<glasses_host>?
        var transport: (any TransportPlugin.Type)?
        var speechToText: (any SpeechToTextPlugin.Type)?
        var textToSpeech: (any TextToSpeechPlugin.Type)?
        var voiceActivity: (any VoiceActivityPlugin.Type)?
        var entry: UnsafePointer<glasses_entry>?
    }

    private struct Registry: @unchecked Sendable {
        // because the pointers inside are written under the Mutex and stay valid until the process ends
        var registration = Registration()
    }
    private static let registry = Mutex(Registry())

    /// The entry struct for the given factories, made once; later calls answer the first one. It is never freed. [any]
    public static func make(
        transport: (any TransportPlugin.Type)? = nil, speechToText: (any SpeechToTextPlugin.Type)? = nil,
        textToSpeech: (any TextToSpeechPlugin.Type)? = nil, voiceActivity: (any VoiceActivityPlugin.Type)? = nil
    ) -> UnsafePointer<glasses_entry>? {
        registry.withLock { registry in
            if let entry = registry.registration.entry { return Shared(entry) }
            let entry = UnsafePointer(makeTable())
            registry.registration = Registration(
                host: nil, transport: transport, speechToText: speechToText, textToSpeech: textToSpeech,
                voiceActivity: voiceActivity, entry: entry)
            return Shared(entry)
        }.pointer
    }

    private struct Shared: @unchecked Sendable {
        // because what it points to is immutable and never freed
        let pointer: UnsafePointer<glasses_entry>
        init(_ pointer: UnsafePointer<glasses_entry>) { self.pointer = pointer }
    }

    private static func makeTable() -> UnsafeMutablePointer<glasses_entry> {
        let entry = UnsafeMutablePointer<glasses_entry>.allocate(capacity: 1)
        entry.initialize(
            to: glasses_entry(
                size: UInt32(MemoryLayout<glasses_entry>.size), magic: UInt32(GLASSES_ENTRY_MAGIC),
                abi_major: UInt32(GLASSES_ABI_MAJOR), abi_minor: UInt32(GLASSES_ABI_MINOR),
                activate: { host in PluginEntry.activate(host) },
                shutdown: { PluginEntry.setHost(nil) },
                get_factory: { id in PluginEntry.factory(String(cString: id)) }))
        return entry
    }

    private static func activate(_ host: UnsafePointer<glasses_host>) -> glasses_result {
        guard host.pointee.abi_major == UInt32(GLASSES_ABI_MAJOR),
            host.pointee.size >= UInt32(MemoryLayout<glasses_host>.size)
        else { return glasses_result(GLASSES_ERROR_VERSION) }
        setHost(host)
        return glasses_result(GLASSES_OK)
    }

    private static func setHost(_ host: UnsafePointer<glasses_host>?) {
        nonisolated(unsafe) let host = host
        // because the ABI keeps the host valid until the process ends
        registry.withLock { $0.registration.host = host }
    }

    private static func factory(_ id: String) -> UnsafeRawPointer? {
        let types = current()
        return switch id {
        case GLASSES_FACTORY_TRANSPORT where types.transport != nil: UnsafeRawPointer(FactoryTables.transport)
        case GLASSES_FACTORY_STT where types.speechToText != nil: UnsafeRawPointer(FactoryTables.speechToText)
        case GLASSES_FACTORY_TTS where types.textToSpeech != nil: UnsafeRawPointer(FactoryTables.textToSpeech)
        case GLASSES_FACTORY_VAD where types.voiceActivity != nil: UnsafeRawPointer(FactoryTables.voiceActivity)
        default: nil
        }
    }

    private static func current() -> Registration { registry.withLock { $0 }.registration }

    private static func log() -> HostLog { HostLog(host: current().host) }

    fileprivate static func createTransport(
        _ host: UnsafePointer<glasses_transport_host>, _ settings: String
    ) throws(PluginFailure) -> UnsafePointer<glasses_transport> {
        guard let type = current().transport else { throw .unsupported }
        guard host.pointee.size >= UInt32(MemoryLayout<glasses_transport_host>.size) else { throw .oldHost }
        let face = TransportHost(table: host.pointee, log: log())
        let plugin = try type.init(settings: PluginSettings(text: settings), host: face)
        return TransportBridge.makeTable(TransportBridge(plugin: plugin, host: face))
    }

    fileprivate static func createSpeechToText(
        _ host: UnsafePointer<glasses_stt_host>, _ settings: String
    ) throws(PluginFailure) -> UnsafePointer<glasses_stt> {
        guard let type = current().speechToText else { throw .unsupported }
        guard host.pointee.size >= UInt32(MemoryLayout<glasses_stt_host>.size) else { throw .oldHost }
        let plugin = try type.init(settings: PluginSettings(text: settings), host: EngineHost(log: log()))
        return SpeechToTextBridge.makeTable(SpeechToTextBridge(plugin: plugin, host: host.pointee, log: log()))
    }

    fileprivate static func createTextToSpeech(
        _ host: UnsafePointer<glasses_tts_host>, _ settings: String
    ) throws(PluginFailure) -> UnsafePointer<glasses_tts> {
        guard let type = current().textToSpeech else { throw .unsupported }
        guard host.pointee.size >= UInt32(MemoryLayout<glasses_tts_host>.size) else { throw .oldHost }
        let plugin = try type.init(settings: PluginSettings(text: settings), host: EngineHost(log: log()))
        return TextToSpeechBridge.makeTable(TextToSpeechBridge(plugin: plugin, host: host.pointee, log: log()))
    }

    fileprivate static func createVoiceActivity(
        _ host: UnsafePointer<glasses_vad_host>, _ settings: String
    ) throws(PluginFailure) -> UnsafePointer<glasses_vad> {
        guard let type = current().voiceActivity else { throw .unsupported }
        guard host.pointee.size >= UInt32(MemoryLayout<glasses_vad_host>.size) else { throw .oldHost }
        let plugin = try type.init(settings: PluginSettings(text: settings), host: EngineHost(log: log()))
        return VoiceActivityBridge.makeTable(VoiceActivityBridge(plugin: plugin, host: host.pointee, log: log()))
    }

    /// Runs a create call, logs why it was refused, and answers the ABI's result.
    fileprivate static func created(_ body: () throws(PluginFailure) -> Void) -> glasses_result {
        do {
            try body()
            return glasses_result(GLASSES_OK)
        } catch {
            log().error("\(error.code): \(error.message)")
            return error.result
        }
    }
}

extension PluginFailure {
    fileprivate static let oldHost = PluginFailure(
        GLASSES_ERROR_VERSION, code: "host_too_old", message: "The host is older than this plugin; update the runtime.")
}

/// The factories' tables; each is written once, before anyone has it, and never freed.
private enum FactoryTables {
    nonisolated(unsafe) static let transport: UnsafePointer<glasses_transport_factory> = {
        // because it is immutable from here on
        let table = UnsafeMutablePointer<glasses_transport_factory>.allocate(capacity: 1)
        table.initialize(
            to: glasses_transport_factory(
                size: UInt32(MemoryLayout<glasses_transport_factory>.size), reserved: 0,
                create: { host, settings, out in
                    PluginEntry.created { () throws(PluginFailure) in
                        out.pointee = try PluginEntry.createTransport(host, String(cString: settings))
                    }
                }))
        return UnsafePointer(table)
    }()

    nonisolated(unsafe) static let speechToText: UnsafePointer<glasses_stt_factory> = {
        // because it is immutable from here on
        let table = UnsafeMutablePointer<glasses_stt_factory>.allocate(capacity: 1)
        table.initialize(
            to: glasses_stt_factory(
                size: UInt32(MemoryLayout<glasses_stt_factory>.size), reserved: 0,
                create: { host, settings, out in
                    PluginEntry.created { () throws(PluginFailure) in
                        out.pointee = try PluginEntry.createSpeechToText(host, String(cString: settings))
                    }
                }))
        return UnsafePointer(table)
    }()

    nonisolated(unsafe) static let textToSpeech: UnsafePointer<glasses_tts_factory> = {
        // because it is immutable from here on
        let table = UnsafeMutablePointer<glasses_tts_factory>.allocate(capacity: 1)
        table.initialize(
            to: glasses_tts_factory(
                size: UInt32(MemoryLayout<glasses_tts_factory>.size), reserved: 0,
                create: { host, settings, out in
                    PluginEntry.created { () throws(PluginFailure) in
                        out.pointee = try PluginEntry.createTextToSpeech(host, String(cString: settings))
                    }
                }))
        return UnsafePointer(table)
    }()

    nonisolated(unsafe) static let voiceActivity: UnsafePointer<glasses_vad_factory> = {
        // because it is immutable from here on
        let table = UnsafeMutablePointer<glasses_vad_factory>.allocate(capacity: 1)
        table.initialize(
            to: glasses_vad_factory(
                size: UInt32(MemoryLayout<glasses_vad_factory>.size), reserved: 0,
                create: { host, settings, out in
                    PluginEntry.created { () throws(PluginFailure) in
                        out.pointee = try PluginEntry.createVoiceActivity(host, String(cString: settings))
                    }
                }))
        return UnsafePointer(table)
    }()
}
