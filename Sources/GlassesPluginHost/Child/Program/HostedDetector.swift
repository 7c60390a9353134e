import CGlassesPlugin

/// A voice activity detector in its child.
final class HostedDetector: HostedInstance, @unchecked Sendable {
    // because the plugin's struct is immutable and only used for calls that the ABI allows there
    private let table: glasses_vad

    static func open(_ opening: HostedOpening) throws(OpeningFailure) -> HostedOpening.Opened {
        let factory = try opening.factory(GLASSES_FACTORY_VAD, as: glasses_vad_factory.self)
        var made: UnsafePointer<glasses_vad>?
        try OpeningFailure.check(
            factory.create(callbackTable(opening.outbox), opening.opening.settings, &made), .refused)
        let table = try opening.table(made)
        let description = try opening.describe(
            activate: { table.activate(table.instance) }, describe: { table.describe(table.instance, $0, $1, $2) },
            destroy: { table.destroy(table.instance) })
        return HostedOpening.Opened(
            instance: HostedDetector(table),
            message: .opened(description: description, []))
    }

    private init(_ table: glasses_vad) { self.table = table }

    func perform(_ call: PluginCall, descriptors: [Int32]) throws(WireError) -> glasses_result {
        switch call {
        case .beginStream(let stream): return table.begin(table.instance, stream)
        case .pushStream(let stream, let samples):
            return samples.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { table.push(table.instance, stream, $0, UInt32(buffer.count)) }
                    ?? glasses_result(GLASSES_OK)
            }
        case .resetStream(let stream): return table.reset(table.instance, stream)
        case .endStream(let stream): return table.end(table.instance, stream)
        default:
            throw .outOfOrder("a call of another kind of plugin")
        }
    }

    func destroy() { table.destroy(table.instance) }

    /// The struct for the plugin; never freed, since a plugin that calls back after its end still reads it.
    private static func callbackTable(_ outbox: ChildOutbox) -> UnsafePointer<glasses_vad_host> {
        let table = UnsafeMutablePointer<glasses_vad_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_vad_host(
                size: UInt32(MemoryLayout<glasses_vad_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(outbox).toOpaque(),
                on_activity: { context, stream, firstFrame, frames, probability in
                    ChildOutbox.of(context)?.send(
                        .activity(stream: stream, firstFrame: firstFrame, frames: frames, probability: probability))
                },
                on_failed: { context, stream, result, message in
                    ChildOutbox.of(context)?.send(
                        .failed(stream: stream, result: result, message: message.map { CText($0) }))
                }))
        return UnsafePointer(table)
    }
}
