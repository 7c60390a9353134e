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
    fileprivate struct Registration {
        var transport: (any TransportPlugin.Type)?
        var speechToText: (any SpeechToTextPlugin.Type)?
        var textToSpeech: (any TextToSpeechPlugin.Type)?
        var voiceActivity: (any VoiceActivityPlugin.Type)?
    }

    private struct Registry: @unchecked Sendable {
        // because the pointer inside is written under the Mutex and stays valid until the process ends
        var host: UnsafePointer<glasses_host>?
        var registration: Registration?
    }
    private static let registry = Mutex(Registry())

    private static let table = SharedTable(
        glasses_entry(
            size: UInt32(MemoryLayout<glasses_entry>.size), magic: UInt32(GLASSES_ENTRY_MAGIC),
            abi_major: UInt32(GLASSES_ABI_MAJOR), abi_minor: UInt32(GLASSES_ABI_MINOR),
            activate: { host in PluginEntry.activate(host) },
            shutdown: { PluginEntry.setHost(nil) },
            get_factory: { id in PluginEntry.factory(String(cString: id)) }))

    /// The entry struct for the given factories, made once; later calls answer the first one. It is never freed. [any]
    public static func make(
        transport: (any TransportPlugin.Type)? = nil, speechToText: (any SpeechToTextPlugin.Type)? = nil,
        textToSpeech: (any TextToSpeechPlugin.Type)? = nil, voiceActivity: (any VoiceActivityPlugin.Type)? = nil
    ) -> UnsafePointer<glasses_entry>? {
        registry.withLock { registry in
            registry.registration =
                registry.registration
                ?? Registration(
                    transport: transport, speechToText: speechToText, textToSpeech: textToSpeech,
                    voiceActivity: voiceActivity)
        }
        return table.pointer
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
        registry.withLock { $0.host = host }
    }

    private static func factory(_ id: String) -> UnsafeRawPointer? {
        let types = current()
        return switch id {
        case GLASSES_FACTORY_TRANSPORT where types.transport != nil: UnsafeRawPointer(FactoryTables.transport.pointer)
        case GLASSES_FACTORY_STT where types.speechToText != nil: UnsafeRawPointer(FactoryTables.speechToText.pointer)
        case GLASSES_FACTORY_TTS where types.textToSpeech != nil: UnsafeRawPointer(FactoryTables.textToSpeech.pointer)
        case GLASSES_FACTORY_VAD where types.voiceActivity != nil: UnsafeRawPointer(FactoryTables.voiceActivity.pointer)
        default: nil
        }
    }

    private static func current() -> Registration { registry.withLock { $0 }.registration ?? Registration() }

    private static func log() -> HostLog { HostLog(host: registry.withLock { $0 }.host) }

    /// The plugin's type for a factory, if the host's struct has everything that this version calls.
    private static func offered<Offer, Host>(
        _ type: (Registration) -> Offer?, to host: UnsafePointer<Host>
    ) throws(PluginFailure) -> Offer {
        guard let type = type(current()) else { throw .unsupported }
        // Every struct of the host's begins with its size.
        guard UnsafeRawPointer(host).load(as: UInt32.self) >= UInt32(MemoryLayout<Host>.size) else { throw .oldHost }
        return type
    }

    fileprivate static func create(
        _ host: UnsafePointer<glasses_transport_host>, _ settings: PluginSettings
    ) throws(PluginFailure) -> UnsafePointer<glasses_transport> {
        let type = try offered(\.transport, to: host)
        let face = TransportHost(table: host.pointee, log: log())
        let plugin = try type.init(settings: settings, host: face)
        return TransportBridge.makeTable(TransportBridge(plugin: plugin, host: face))
    }

    fileprivate static func create(
        _ host: UnsafePointer<glasses_stt_host>, _ settings: PluginSettings
    ) throws(PluginFailure) -> UnsafePointer<glasses_stt> {
        let plugin = try offered(\.speechToText, to: host).init(settings: settings, host: EngineHost(log: log()))
        return SpeechToTextBridge.makeTable(SpeechToTextBridge(plugin: plugin, host: host.pointee, log: log()))
    }

    fileprivate static func create(
        _ host: UnsafePointer<glasses_tts_host>, _ settings: PluginSettings
    ) throws(PluginFailure) -> UnsafePointer<glasses_tts> {
        let plugin = try offered(\.textToSpeech, to: host).init(settings: settings, host: EngineHost(log: log()))
        return TextToSpeechBridge.makeTable(TextToSpeechBridge(plugin: plugin, host: host.pointee, log: log()))
    }

    fileprivate static func create(
        _ host: UnsafePointer<glasses_vad_host>, _ settings: PluginSettings
    ) throws(PluginFailure) -> UnsafePointer<glasses_vad> {
        let plugin = try offered(\.voiceActivity, to: host).init(settings: settings, host: EngineHost(log: log()))
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

/// The factories' tables.
private enum FactoryTables {
    static let transport = SharedTable(
        glasses_transport_factory(
            size: UInt32(MemoryLayout<glasses_transport_factory>.size), reserved: 0,
            create: { host, settings, out in
                PluginEntry.created { () throws(PluginFailure) in
                    out.pointee = try PluginEntry.create(host, PluginSettings(text: String(cString: settings)))
                }
            }))

    static let speechToText = SharedTable(
        glasses_stt_factory(
            size: UInt32(MemoryLayout<glasses_stt_factory>.size), reserved: 0,
            create: { host, settings, out in
                PluginEntry.created { () throws(PluginFailure) in
                    out.pointee = try PluginEntry.create(host, PluginSettings(text: String(cString: settings)))
                }
            }))

    static let textToSpeech = SharedTable(
        glasses_tts_factory(
            size: UInt32(MemoryLayout<glasses_tts_factory>.size), reserved: 0,
            create: { host, settings, out in
                PluginEntry.created { () throws(PluginFailure) in
                    out.pointee = try PluginEntry.create(host, PluginSettings(text: String(cString: settings)))
                }
            }))

    static let voiceActivity = SharedTable(
        glasses_vad_factory(
            size: UInt32(MemoryLayout<glasses_vad_factory>.size), reserved: 0,
            create: { host, settings, out in
                PluginEntry.created { () throws(PluginFailure) in
                    out.pointee = try PluginEntry.create(host, PluginSettings(text: String(cString: settings)))
                }
            }))
}
