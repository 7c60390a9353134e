import CGlassesPlugin
import Synchronization

/// A synthesiser in its child.
final class HostedSynthesiser: HostedInstance, @unchecked Sendable {
    // because the plugin's struct is immutable and only used for calls that the ABI allows there
    private let table: glasses_tts
    private let callbacks: HostedSynthesisCallbacks

    static func open(_ opening: HostedOpening) throws(OpeningFailure) -> HostedOpening.Opened {
        let factory = try opening.factory(GLASSES_FACTORY_TTS, as: glasses_tts_factory.self)
        let callbacks = HostedSynthesisCallbacks(opening.outbox)
        var made: UnsafePointer<glasses_tts>?
        try OpeningFailure.check(factory.create(callbacks.table(), opening.opening.settings, &made), .refused)
        let table = try opening.table(made)
        let description = try opening.describe(
            activate: { table.activate(table.instance) }, describe: { table.describe(table.instance, $0, $1, $2) },
            destroy: { table.destroy(table.instance) })
        return HostedOpening.Opened(
            instance: HostedSynthesiser(table, callbacks),
            message: .opened(description: description, []))
    }

    private init(_ table: glasses_tts, _ callbacks: HostedSynthesisCallbacks) {
        self.table = table
        self.callbacks = callbacks
    }

    func perform(_ call: PluginCall, descriptors: [Int32]) throws(WireError) -> glasses_result {
        switch call {
        case .speak(let request, let text, let options):
            callbacks.begins(request)
            let result = table.speak(table.instance, request, text, options)
            if result != GLASSES_OK { callbacks.ends(request) }
            return result
        case .cancelSpeech(let request):
            callbacks.ends(request)
            return table.cancel(table.instance, request)
        default:
            throw .outOfOrder("a call of another kind of plugin")
        }
    }

    func destroy() { table.destroy(table.instance) }
}

/// What the plugin's callbacks send to the host; lives as long as the process. [any]
final class HostedSynthesisCallbacks: Sendable {
    private let outbox: ChildOutbox
    /// The requests whose audio somebody still wants; the plugin itself bounds them to 64.
    private let wanted = Mutex<Set<UInt64>>([])

    init(_ outbox: ChildOutbox) { self.outbox = outbox }

    func begins(_ request: UInt64) { wanted.withLock { _ = $0.insert(request) } }

    func ends(_ request: UInt64) { wanted.withLock { _ = $0.remove(request) } }

    /// The struct for the plugin; never freed, since a plugin that calls back after its end still reads it.
    func table() -> UnsafePointer<glasses_tts_host> {
        let table = UnsafeMutablePointer<glasses_tts_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_tts_host(
                size: UInt32(MemoryLayout<glasses_tts_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(self).toOpaque(),
                on_audio: { context, request, samples, count in
                    let block = UnsafeBufferPointer(start: samples, count: Int(count))
                    let wantsMore = HostedSynthesisCallbacks.of(context)?.audio(request, block) ?? false
                    return glasses_result(wantsMore ? GLASSES_OK : GLASSES_ERROR_CANCELLED)
                },
                on_finished: { context, request, result, message in
                    HostedSynthesisCallbacks.of(context)?.finished(request, result, message.map { CText($0) })
                }))
        return UnsafePointer(table)
    }

    /// A block that no message can hold is no block of speech: it ends the request.
    private func audio(_ request: UInt64, _ block: UnsafeBufferPointer<Int16>) -> Bool {
        guard wanted.withLock({ $0.contains(request) }), block.count * 2 < MessageFrame.messageLimit / 2 else {
            return false
        }
        return outbox.sendPatiently(.audio(request: request, Array(block)))
    }

    private func finished(_ request: UInt64, _ result: glasses_result, _ message: CText?) {
        ends(request)
        outbox.send(.spoken(request: request, result: result, message: message))
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> HostedSynthesisCallbacks? {
        context.map { Unmanaged<HostedSynthesisCallbacks>.fromOpaque($0).takeUnretainedValue() }
    }
}
