import GlassesDomain
import Synchronization

/// A plugin's transport behind the port that the runtime uses.
final class PluginTransport: GlassesTransport {
    let facts: TransportFacts
    let events: AsyncStream<TransportEvent>
    let microphone: (any MicrophonePort)?
    let speaker: (any SpeakerPort)?
    let camera: (any CameraPort)?
    let display: (any DisplayPort)?
    let registration: (any RegistrationPort)?

    let instance: any TransportInstance
    private let requests: RequestTable
    private let inbox: TransportInbox
    private let pluginMicrophone: PluginMicrophone?
    private let pluginSpeaker: PluginSpeaker?
    private let pluginCamera: PluginCamera?
    private let pluginRegistration: PluginRegistrationPort?

    init(
        instance: any TransportInstance, requests: RequestTable, monitor: CallMonitor, inbox: TransportInbox,
        flushLimit: Duration = PluginSpeaker.flushLimit
    ) {
        self.instance = instance
        self.requests = requests
        self.inbox = inbox
        facts = instance.facts
        events = inbox.events
        let send: @Sendable (TransportCall) async -> RequestTable.Ending = { call in
            await requests.run(call.function, limit: call.limit) { id, answer in
                instance.send(call, id: id, answer: answer)
            }
        }
        pluginMicrophone = facts.microphoneRate.map {
            PluginMicrophone(sampleRate: $0, monitor: monitor, send: send, log: { inbox.log($0) })
        }
        pluginSpeaker = facts.speakerRate.map { rate in
            PluginSpeaker(
                sampleRate: rate, monitor: monitor, flushLimit: flushLimit, send: send,
                flush: { instance.flush($0, upTo: $1) },
                onError: { inbox.errorArrived($0) }, log: { inbox.log($0) })
        }
        pluginCamera = facts.camera.map { facts in
            PluginCamera(facts: facts, monitor: monitor, send: send) {
                await Self.takePhoto(instance, requests, inbox.stills)
            }
        }
        let pluginDisplay = facts.panel.map { PluginDisplay(panel: $0, send: send) }
        microphone = pluginMicrophone
        speaker = pluginSpeaker
        camera = pluginCamera
        display = pluginDisplay
        pluginRegistration =
            instance.facts.hasRegistration
            ? PluginRegistrationPort(answers: inbox.answers) { call, prepared in
                await requests.run(call.function, limit: call.limit) { id, answer in
                    prepared(id)
                    instance.send(call, id: id, answer: answer)
                }
            } : nil
        registration = pluginRegistration
        inbox.attach(camera: pluginCamera, display: pluginDisplay, registration: pluginRegistration)
    }

    func connect(deviceId: DeviceId?) async -> ExtentosResult<DeviceInfo, ConnectError> {
        let call = TransportCall.connect(deviceId)
        defer { inbox.connectEnded() }
        let ending = await requests.run(call.function, limit: call.limit) { id, answer in
            inbox.connectBegan(id)
            instance.send(call, id: id, answer: answer)
        }
        switch ending {
        case .success: return .success(inbox.connectedDevice ?? facts.device)
        case .failure(let failure): return .failure(ConnectError(failure))
        }
    }

    func disconnect() async {
        await closeStreams()
        let call = TransportCall.disconnect
        let ending = await requests.run(call.function, limit: call.limit) { id, answer in
            instance.send(call, id: id, answer: answer)
        }
        if case .failure(let failure) = ending, failure.result != .wrongState { inbox.failed(failure) }
    }

    func handleUrl(_ url: String) async -> Bool { await pluginRegistration?.handle(url) ?? false }

    func shutdown() async {
        await closeStreams()
        await instance.destroy()
        requests.closeAll()
        inbox.finish()
    }

    private func closeStreams() async {
        async let microphoneClosed: Void? = pluginMicrophone?.close()
        async let speakerClosed: Void? = pluginSpeaker?.close()
        async let cameraClosed: Void? = pluginCamera?.close()
        _ = await (microphoneClosed, speakerClosed, cameraClosed)
    }

    private static func takePhoto(
        _ instance: any TransportInstance, _ requests: RequestTable, _ shelf: StillShelf
    ) async -> Result<CameraStill, PluginFailureReport> {
        let call = TransportCall.takePhoto
        let ending = await requests.run(call.function, limit: call.limit) { id, answer in
            shelf.expect(id)
            instance.send(call, id: id, answer: answer)
        }
        let still = shelf.take()
        if case .failure(let failure) = ending { return .failure(failure) }
        guard let still else {
            return .failure(
                PluginFailureReport(
                    .failed, code: "no_picture", message: "The camera ended the request without a picture. Try again."))
        }
        return .success(still)
    }
}

/// Receives a transport's reports and hands them on in order.
final class TransportInbox: Sendable {
    /// As the port says: newest 256 kept.
    private static let eventLimit = 256

    let events: AsyncStream<TransportEvent>
    private let continuation: AsyncStream<TransportEvent>.Continuation
    private let device = Mutex<DeviceInfo?>(nil)
    /// The connect that was asked for and has not completed: its states are told by its result.
    private let connectId = Mutex<UInt64?>(nil)
    private let requests: RequestTable
    /// Writes a line to the host's log.
    let log: @Sendable (String) -> Void
    /// Pictures on their way to whoever asked for them.
    let stills = StillShelf()
    /// Answers on their way to whoever asked for them.
    let answers = AnswerShelf()
    private let ports = Mutex(Ports())

    private struct Ports {
        var camera: PluginCamera?
        var display: PluginDisplay?
        var registration: PluginRegistrationPort?
        /// What was told before there was anybody to hear it.
        var toldRegistration: DeviceRegistration?
    }

    init(requests: RequestTable, log: @escaping @Sendable (String) -> Void) {
        self.requests = requests
        self.log = log
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.eventLimit))
    }

    /// Who gets what the extensions tell. A registration's state may have been told already.
    func attach(camera: PluginCamera?, display: PluginDisplay?, registration: PluginRegistrationPort?) {
        let told = ports.withLock { ports in
            (ports.camera, ports.display, ports.registration) = (camera, display, registration)
            return ports.toldRegistration
        }
        if let told { registration?.changed(told) }
    }

    /// The device that the plugin reported last as connected.
    var connectedDevice: DeviceInfo? { device.withLock { $0 } }

    /// States until the connect's completion belong to it. A plugin reports in order, so a device that goes away right after it
    /// was connected is still told.
    func connectBegan(_ id: UInt64) { connectId.withLock { $0 = id } }

    func connectEnded() { connectId.withLock { $0 = nil } }

    func receive(_ report: TransportReport) {
        switch report {
        case .completed(let id, let function, let ending):
            if connectId.withLock({ $0 == id }) { connectEnded() }
            requests.complete(id, ending, function: function)
        case .stateChanged(let state):
            device.withLock { $0 = state.active?.device ?? $0 }
            if connectId.withLock({ $0 == nil }) { continuation.yield(.stateChanged(state)) }
        case .told(let event, let details): told(event, details)
        case .still(let request, let still): stills.put(still, for: request)
        case .cameraChanged(let change): ports.withLock { $0.camera }?.changed(change)
        case .displayed(let event): ports.withLock { $0.display }?.happened(event)
        case .registration(let state, let reason): registrationChanged(state, reason)
        case .answered(let request, let answer, let function):
            if !answers.put(answer, for: request) { requests.unknown(function) }
        case .power(let power): continuation.yield(.powerChanged(power))
        case .input(let input): continuation.yield(.inputReceived(input))
        case .pairingCode(let code): continuation.yield(.pairingCodeShown(code))
        }
    }

    private func registrationChanged(_ state: DeviceRegistration, _ reason: String?) {
        let port = ports.withLock { ports in
            ports.toldRegistration = state
            return ports.registration
        }
        port?.changed(state)
        continuation.yield(.registrationChanged(state, reason: reason))
    }

    func errorArrived(_ error: TransportError) { continuation.yield(.errorEvent(error)) }

    func failed(_ failure: PluginFailureReport) {
        errorArrived(.platformError(code: failure.code, message: failure.message))
    }

    func finish() { continuation.finish() }

    /// What is lost is an error for the app; everything else is for the log.
    private func told(_ event: String, _ details: JSONValue) {
        let message = details["message"]?.stringValue
        if event.hasSuffix("_lost") {
            errorArrived(
                .platformError(code: event, message: message ?? "The plugin reported \(event). Check the device."))
        }
        log("\(event): \(message ?? "no details")")
    }
}
