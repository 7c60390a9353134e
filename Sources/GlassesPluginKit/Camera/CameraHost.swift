import CGlassesPlugin

/// Why a camera's stream changed by itself.
public enum CameraStreamChange: Sendable, Hashable {
    /// Frames stop for now: the wearer, the device or another app paused the stream.
    case paused(PluginFailure)
    /// Frames come again.
    case streaming
    /// The stream is over; the ring must not be touched any more.
    case stopped(PluginFailure)

    var json: PluginJSON {
        switch self {
        case .streaming: ["state": "streaming"]
        case .paused(let reason):
            ["state": "paused", "code": .string(reason.code), "message": .string(reason.message)]
        case .stopped(let reason):
            ["state": "stopped", "code": .string(reason.code), "message": .string(reason.message)]
        }
    }
}

/// The host's side of a camera.
struct CameraHost: Sendable {
    private let table: glasses_camera_host
    private let context: HostContext
    private let gate: CallbackGate

    init(table: glasses_camera_host, gate: CallbackGate) {
        self.table = table
        self.gate = gate
        context = HostContext(table.ctx)
    }

    func deliver(_ request: glasses_request_id, _ file: UnsafeRawBufferPointer, facts: PluginJSON) {
        guard let bytes = file.bindMemory(to: UInt8.self).baseAddress else { return }
        let text = facts.text
        gate.pass { table.on_photo(context.pointer, request, bytes, file.count, text) }
    }

    func report(_ change: CameraStreamChange) {
        let text = change.json.text
        gate.pass { table.on_stream(context.pointer, text) }
    }
}
