import CGlassesPlugin

/// A recogniser in its child.
final class HostedRecogniser: HostedInstance, @unchecked Sendable {
    // because the plugin's struct is immutable and only used for calls that the ABI allows there
    private let table: glasses_stt

    static func open(_ opening: HostedOpening) throws(OpeningFailure) -> HostedOpening.Opened {
        let factory = try opening.factory(GLASSES_FACTORY_STT, as: glasses_stt_factory.self)
        var made: UnsafePointer<glasses_stt>?
        try OpeningFailure.check(
            factory.create(callbackTable(opening.outbox), opening.opening.settings, &made), .refused)
        let table = try opening.table(made)
        let description = try opening.describe(
            activate: { table.activate(table.instance) }, describe: { table.describe(table.instance, $0, $1, $2) },
            destroy: { table.destroy(table.instance) })
        return HostedOpening.Opened(
            instance: HostedRecogniser(table),
            message: .opened(description: description, []))
    }

    private init(_ table: glasses_stt) { self.table = table }

    func perform(_ call: PluginCall, descriptors: [Int32]) throws(WireError) -> glasses_result {
        switch call {
        case .begin(let utterance): return table.begin(table.instance, utterance)
        case .push(let utterance, let samples):
            return samples.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { table.push(table.instance, utterance, $0, UInt32(buffer.count)) }
                    ?? glasses_result(GLASSES_OK)
            }
        case .finish(let utterance): return table.finish(table.instance, utterance)
        case .cancelUtterance(let utterance): return table.cancel(table.instance, utterance)
        default:
            throw .outOfOrder("a call of another kind of plugin")
        }
    }

    func destroy() { table.destroy(table.instance) }

    /// The struct for the plugin; never freed, since a plugin that calls back after its end still reads it.
    private static func callbackTable(_ outbox: ChildOutbox) -> UnsafePointer<glasses_stt_host> {
        let table = UnsafeMutablePointer<glasses_stt_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_stt_host(
                size: UInt32(MemoryLayout<glasses_stt_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(outbox).toOpaque(),
                on_partial: { context, utterance, text, confidence in
                    ChildOutbox.of(context)?.sendIfPossible(
                        .partial(utterance: utterance, CText(text), confidence: confidence))
                },
                on_finished: { context, utterance, result, text, confidence in
                    ChildOutbox.of(context)?.send(
                        .finished(utterance: utterance, result: result, CText(text), confidence: confidence))
                }))
        return UnsafePointer(table)
    }
}

extension ChildOutbox {
    /// The outbox behind the context of a callback.
    static func of(_ context: UnsafeMutableRawPointer?) -> ChildOutbox? {
        context.map { Unmanaged<ChildOutbox>.fromOpaque($0).takeUnretainedValue() }
    }
}
