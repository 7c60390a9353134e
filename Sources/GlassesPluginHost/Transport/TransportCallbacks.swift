import CGlassesPlugin
import GlassesDomain

/// The callbacks of a transport, from C or from a child's messages, as ``TransportReport`` values. [any]
final class TransportCallbacks: Sendable {
    /// Receivers by their context.
    static let registry = CallbackRegistry<TransportCallbacks>()

    let monitor: CallMonitor
    private let fallbackDevice: DeviceInfo
    private let deliver: @Sendable (TransportReport) -> Void

    init(monitor: CallMonitor, deliver: @escaping @Sendable (TransportReport) -> Void) {
        self.monitor = monitor
        self.deliver = deliver
        fallbackDevice = DeviceInfo(
            id: monitor.plugin, modelName: monitor.plugin, firmwareVersion: "", deviceType: .unknown, vendor: "unknown")
    }

    /// The struct for a new instance. It is never freed (40 bytes), because a plugin that calls back after destroy
    /// still reads it.
    static func makeTable(context: UInt) -> UnsafePointer<glasses_transport_host> {
        let table = UnsafeMutablePointer<glasses_transport_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_transport_host(
                size: UInt32(MemoryLayout<glasses_transport_host>.size), reserved: 0,
                ctx: UnsafeMutableRawPointer(bitPattern: context),
                on_state: { context, state, detail in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onState)?.stateChanged(
                        state, detail.map { CText($0) })
                },
                on_completed: { context, request, result, detail in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onCompleted)?.completed(
                        request, result, detail.map { CText($0) })
                },
                on_event: { context, event in
                    TransportCallbacks.registry.find(context, function: TransportCallbacks.onEvent)?.told(CText(event))
                }))
        return UnsafePointer(table)
    }

    private static let onState = "glasses_transport_host.on_state"
    private static let onCompleted = "glasses_transport_host.on_completed"
    private static let onEvent = "glasses_transport_host.on_event"

    func stateChanged(_ state: glasses_device_state, _ detail: CText?) {
        let detail = monitor.object(detail, in: Self.onState)
        guard let state = GlassesState(c: state, detail: detail, fallback: fallbackDevice) else {
            monitor.report(.unknownValue(Int(state)), in: Self.onState)
            return
        }
        deliver(.stateChanged(state))
    }

    func completed(_ request: glasses_request_id, _ result: glasses_result, _ detail: CText?) {
        let detail = monitor.object(detail, in: Self.onCompleted)
        let converted = PluginResult(c: result)
        if case .unknown(let number) = converted {
            monitor.report(.unknownValue(number), in: Self.onCompleted, from: .maximal)
        }
        if converted == .ok {
            deliver(.completed(request, function: Self.onCompleted, .success(())))
            return
        }
        var failure = PluginFailureReport(converted, plugin: monitor.plugin, function: "a request")
        if let code = detail?["code"]?.stringValue { failure.code = code }
        if let message = detail?["message"]?.stringValue { failure.message = message }
        deliver(.completed(request, function: Self.onCompleted, .failure(failure)))
    }

    func told(_ event: CText) {
        guard let details = monitor.object(event, in: Self.onEvent) else { return }
        guard let name = details["event"]?.stringValue else {
            monitor.report(.wrongFacts(member: "event"), in: Self.onEvent)
            return
        }
        deliver(.told(event: name, details: details))
    }
}
