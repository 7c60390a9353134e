import CGlassesPlugin
import GlassesDomain

/// The C struct of one kind of speech engine: what every kind has, under the names that C gives it.
protocol EngineFunctions: Sendable {
    associatedtype Factory
    associatedtype Host
    /// The kind whose factory makes it.
    static var kind: PluginKind { get }
    /// Calls the factory.
    static func create(
        _ factory: Factory, _ host: UnsafePointer<Host>, _ settings: String, _ made: inout UnsafePointer<Self>?
    ) -> glasses_result

    var instance: UnsafeMutableRawPointer? { get }
    var activate: @convention(c) (UnsafeMutableRawPointer?) -> glasses_result { get }
    var describe:
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Int>) ->
            glasses_result
    { get }
    var destroy: @convention(c) (UnsafeMutableRawPointer?) -> Void { get }
}

/// The host's side of one kind of speech engine, found by the number in its context.
protocol EngineCallbacks: AnyObject, Sendable {
    associatedtype Host
    /// Receivers by their context.
    static var registry: CallbackRegistry<Self> { get }
    /// The struct for a new instance.
    static func makeTable(_ context: UInt) -> UnsafePointer<Host>
}

/// A speech engine whose code runs in this process: what the kinds share.
final class InProcessEngine<Functions: EngineFunctions>: Sendable {
    typealias Answer = @Sendable (Result<Void, PluginFailureReport>) -> Void

    let facts: EngineFacts
    private let functions: Functions
    private let calls: EngineCalls
    private let forget: @Sendable () -> Void

    private struct Opened: Sendable {
        var functions: Functions
        var facts: EngineFacts
    }

    /// Creates and activates an engine; what it tells goes to `callbacks` from then on.
    static func open<Callbacks: EngineCallbacks>(
        _ plugin: ActivePlugin, settings: String, monitor: CallMonitor, _ callbacks: Callbacks
    ) async -> Result<InProcessEngine, PluginFailureReport> where Callbacks.Host == Functions.Host {
        let calls = EngineCalls(plugin: plugin, monitor: monitor)
        let context = Callbacks.registry.add(callbacks)
        let forget: @Sendable () -> Void = { Callbacks.registry.remove(context, monitor: monitor) }
        let made = await calls.make(Functions.kind.activateFunction) {
            create(plugin, settings, monitor, Callbacks.makeTable(context))
        }
        if case .failure = made { forget() }
        return made.map { InProcessEngine($0, calls, forget) }
    }

    private init(_ opened: Opened, _ calls: EngineCalls, _ forget: @escaping @Sendable () -> Void) {
        functions = opened.functions
        facts = opened.facts
        self.calls = calls
        self.forget = forget
    }

    /// Makes a call after those before it; `answer` tells whether it was accepted.
    func post(
        _ function: String, answer: @escaping Answer, _ call: @escaping @Sendable (Functions) -> glasses_result
    ) {
        calls.post(function, { [functions] in call(functions) }, answer: answer)
    }

    /// Ends the instance; no callback comes afterwards.
    func destroy() async {
        await calls.destroy(Functions.kind.destroyFunction) { [functions, forget] in
            functions.destroy(functions.instance)
            forget()
        }
        // A destroy that hangs has not come to this line on its own thread.
        forget()
    }

    private static func create(
        _ plugin: ActivePlugin, _ settings: String, _ monitor: CallMonitor, _ host: UnsafePointer<Functions.Host>
    ) -> Result<Opened, PluginFailureReport> {
        let kind = Functions.kind
        guard let factory = plugin.factory(kind.factoryId, as: Functions.Factory.self) else {
            return .failure(PluginFailureReport(.unsupported, plugin: plugin.id, function: "get_factory"))
        }
        var made: UnsafePointer<Functions>?
        let result = PluginResult(c: Functions.create(factory, host, settings, &made))
        guard result == .ok else {
            return .failure(PluginFailureReport(result, plugin: plugin.id, function: kind.createFunction))
        }
        guard let made, let functions = CStruct.copy(made, as: Functions.self, firstFunction: 16) else {
            monitor.report(.brokenStruct, in: kind.createFunction)
            return .failure(PluginFailureReport(.failed, plugin: plugin.id, function: kind.createFunction))
        }
        let facts = EngineFacts.read(
            monitor, kind, activate: { functions.activate(functions.instance) },
            describe: { functions.describe(functions.instance, $0, $1, $2) })
        if case .failure = facts { functions.destroy(functions.instance) }
        return facts.map { Opened(functions: functions, facts: $0) }
    }
}

/// Calls `push` with the samples; none at all are accepted without a call.
func pushing(
    _ samples: [Int16], _ push: (UnsafePointer<Int16>, UInt32) -> glasses_result
) -> glasses_result {
    samples.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { push($0, UInt32(buffer.count)) } ?? glasses_result(GLASSES_OK)
    }
}

extension glasses_stt: EngineFunctions {
    static var kind: PluginKind { .stt }
    static func create(
        _ factory: glasses_stt_factory, _ host: UnsafePointer<glasses_stt_host>, _ settings: String,
        _ made: inout UnsafePointer<glasses_stt>?
    ) -> glasses_result { factory.create(host, settings, &made) }
}

extension glasses_tts: EngineFunctions {
    static var kind: PluginKind { .tts }
    static func create(
        _ factory: glasses_tts_factory, _ host: UnsafePointer<glasses_tts_host>, _ settings: String,
        _ made: inout UnsafePointer<glasses_tts>?
    ) -> glasses_result { factory.create(host, settings, &made) }
}

extension glasses_vad: EngineFunctions {
    static var kind: PluginKind { .vad }
    static func create(
        _ factory: glasses_vad_factory, _ host: UnsafePointer<glasses_vad_host>, _ settings: String,
        _ made: inout UnsafePointer<glasses_vad>?
    ) -> glasses_result { factory.create(host, settings, &made) }
}
