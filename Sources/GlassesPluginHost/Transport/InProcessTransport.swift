import CGlassesPlugin
import GlassesDomain

/// A transport whose code runs in this process.
final class InProcessTransport: TransportInstance, @unchecked Sendable {
    // because every field is immutable; the plugin's structs are only used for calls that the ABI allows there
    let facts: TransportFacts
    private let functions: TransportFunctions
    private let plugin: ActivePlugin
    private let monitor: CallMonitor
    private let context: UInt
    private let anyCalls: PluginCallQueue
    private let life = InstanceLife()

    /// A call that only starts something and returns.
    private static let callLimit: Duration = .seconds(2)

    private struct Opened: Sendable {
        var functions: TransportFunctions
        var facts: TransportFacts
    }

    /// Creates and activates an instance; reports go to `deliver` from then on.
    static func open(
        _ plugin: ActivePlugin, settings: String, monitor: CallMonitor,
        deliver: @escaping @Sendable (TransportReport) -> Void
    ) async -> Result<InProcessTransport, PluginFailureReport> {
        let context = TransportCallbacks.registry.add(TransportCallbacks(monitor: monitor, deliver: deliver))
        let outcome = await plugin.hostCalls.call("glasses_transport.activate", limit: ActivePlugin.activationLimit) {
            create(plugin, settings, monitor, context)
        }
        switch outcome {
        case .success(.success(let opened)):
            return .success(InProcessTransport(opened, plugin: plugin, monitor: monitor, context: context))
        case .success(.failure(let failure)):
            TransportCallbacks.registry.remove(context, monitor: monitor)
            return .failure(failure)
        case .failure(let error):
            TransportCallbacks.registry.remove(context, monitor: monitor)
            return .failure(.init(error, monitor: monitor, limit: ActivePlugin.activationLimit))
        }
    }

    private init(_ opened: Opened, plugin: ActivePlugin, monitor: CallMonitor, context: UInt) {
        functions = opened.functions
        facts = opened.facts
        self.plugin = plugin
        self.monitor = monitor
        self.context = context
        anyCalls = PluginCallQueue(name: "plugin flush") { function, limit in
            monitor.report(.hung(limit: limit), in: function)
        }
    }

    func send(
        _ call: TransportCall, id: UInt64, answer: @escaping @Sendable (Result<Void, PluginFailureReport>) -> Void
    ) {
        guard !monitor.isDisabled else { return answer(.failure(.disabled(plugin: plugin.id))) }
        plugin.hostCalls.post(
            call.function, limit: Self.callLimit,
            abandoned: { [monitor] error in
                answer(.failure(PluginFailureReport(error, monitor: monitor, limit: Self.callLimit)))
            },
            { [self] in answer(outcome(of: perform(call, id), call)) })
    }

    private func outcome(of result: PluginResult, _ call: TransportCall) -> Result<Void, PluginFailureReport> {
        if case .unknown(let number) = result {
            monitor.report(.unknownValue(number), in: call.function, from: .maximal)
        }
        return result == .ok
            ? .success(()) : .failure(PluginFailureReport(result, plugin: plugin.id, function: call.function))
    }

    private func perform(_ call: TransportCall, _ id: UInt64) -> PluginResult {
        guard !life.isOver else { return .wrongState }
        let result =
            switch call {
            case .connect(let device): functions.connect(id, device: device)
            case .disconnect: functions.disconnect(id)
            case .startMicrophone(let stream): functions.startMicrophone(id, stream.ring.pointer)
            case .stopMicrophone: functions.stopMicrophone(id)
            case .startSpeaker(let stream): functions.startSpeaker(id, stream.ring.pointer)
            case .stopSpeaker: functions.stopSpeaker(id)
            case .startCamera(let stream): functions.startCamera(id, stream.configuration, stream.ring.pointer)
            case .stopCamera: functions.stopCamera(id)
            case .takePhoto: functions.takePhoto(id)
            case .show(let tree): functions.show(id, tree)
            case .clearDisplay: functions.clearDisplay(id)
            case .registerApp: functions.registerApp(id)
            case .unregisterApp: functions.unregisterApp(id)
            case .checkPermission(let permission): functions.checkPermission(id, permission.c)
            case .requestPermission(let permission): functions.requestPermission(id, permission.c)
            case .handleURL(let url): functions.handleURL(id, url)
            }
        return PluginResult(c: result)
    }

    func flush(_ flush: UInt64, upTo position: Int64) {
        guard functions.speaker != nil, !monitor.isDisabled else { return }
        anyCalls.post("glasses_speaker.flush", limit: Self.callLimit) { [functions, life] in
            guard !life.isOver else { return }
            _ = functions.flushSpeaker(flush, upTo: position)
        }
    }

    func destroy() async {
        guard life.end() else { return }
        // A flush that runs already has to return before its instance goes.
        _ = await anyCalls.call("glasses_speaker.flush", limit: Self.callLimit) {}
        let outcome = await plugin.hostCalls.call("glasses_transport.destroy", limit: Self.callLimit) {
            [functions, context, monitor] in
            functions.destroy()
            TransportCallbacks.registry.remove(context, monitor: monitor)
        }
        monitor.reportHang(outcome, limit: Self.callLimit)
        // A destroy that hangs has not come to this line on its own thread.
        TransportCallbacks.registry.remove(context, monitor: monitor)
    }

    /// Runs on the [host] thread: create, activate, describe, extensions; an instance that fails on the way is destroyed.
    private static func create(
        _ plugin: ActivePlugin, _ settings: String, _ monitor: CallMonitor, _ context: UInt
    ) -> Result<Opened, PluginFailureReport> {
        guard let factory = plugin.factory(GLASSES_FACTORY_TRANSPORT, as: glasses_transport_factory.self) else {
            return .failure(PluginFailureReport(.unsupported, plugin: plugin.id, function: "get_factory"))
        }
        var made: UnsafePointer<glasses_transport>?
        let result = PluginResult(c: factory.create(TransportCallbacks.makeTable(context: context), settings, &made))
        guard result == .ok else {
            return .failure(
                PluginFailureReport(result, plugin: plugin.id, function: "glasses_transport_factory.create"))
        }
        guard let made, let table = CStruct.copy(made, as: glasses_transport.self, firstFunction: 16) else {
            monitor.report(.brokenStruct, in: "glasses_transport_factory.create")
            return .failure(
                PluginFailureReport(.failed, plugin: plugin.id, function: "glasses_transport_factory.create"))
        }
        let opened = activate(table, monitor, context)
        if case .failure = opened { table.destroy(table.instance) }
        return opened
    }

    private static func activate(
        _ table: glasses_transport, _ monitor: CallMonitor, _ context: UInt
    ) -> Result<Opened, PluginFailureReport> {
        let result = PluginResult(c: table.activate(table.instance))
        guard result == .ok else {
            return .failure(PluginFailureReport(result, plugin: monitor.plugin, function: "glasses_transport.activate"))
        }
        let functions = TransportFunctions(table)
        let attached = functions.attach(TransportCallbacks.sides(context: context))
        guard attached == GLASSES_OK else {
            return .failure(
                PluginFailureReport(PluginResult(c: attached), plugin: monitor.plugin, function: "attach"))
        }
        let function = "glasses_transport.describe"
        guard let json = PluginDescription.read(monitor, function, { table.describe(table.instance, $0, $1, $2) })
        else {
            return .failure(PluginFailureReport(.failed, plugin: monitor.plugin, function: function))
        }
        do {
            let facts = try TransportFacts(
                plugin: monitor.plugin, json: json, extensions: functions.extensions)
            return .success(Opened(functions: functions, facts: facts))
        } catch {
            monitor.report(.wrongFacts(member: error.member), in: function)
            return .failure(PluginFailureReport(.failed, plugin: monitor.plugin, function: function))
        }
    }
}

extension PluginFailureReport {
    /// A call that brought no answer; a hang is reported for the instance whose call found it.
    init(_ error: PluginCallError, monitor: CallMonitor, limit: Duration) {
        switch error {
        case .hung(let function):
            monitor.reportHang(.failure(error), limit: limit)
            self = .timedOut(plugin: monitor.plugin, function: function)
        case .overloaded: self.init(.busy, plugin: monitor.plugin, function: "the call")
        }
    }
}
