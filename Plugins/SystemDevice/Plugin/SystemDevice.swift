import CGlassesPlugin
import GlassesPluginKit
import Synchronization
import SystemDeviceCamera
import SystemDeviceStreams

/// The plugin's exported entry.
@c(glasses_plugin_entry)
public func glassesPluginEntry() -> UnsafePointer<glasses_entry>? {
    PluginEntry.make(transport: SystemDevice.self)
}

/// The transport `org.extentos.system-device`: the microphone and the loudspeaker that ALSA knows, PulseAudio and PipeWire
/// included, and a camera, as one device that is always there.
final class SystemDevice: MicrophonePlugin, SpeakerPlugin, CameraPlugin {
    /// What the app uses, from ``connect(_:deviceId:)`` to ``disconnect(_:)``.
    private enum Link {
        case disconnected, connecting, connected, ended
    }

    private static let device = PluginDevice(id: "system_audio", modelName: "System audio", vendor: "system_audio")

    private let settings: SystemDeviceSettings
    let host: TransportHost
    private let link = Mutex(Link.disconnected)
    private let microphone: (any DeviceStream)?
    private let speaker: StreamDriver?
    /// The streams that were started and not stopped since.
    private let started = Mutex<Set<String>>([])
    private let devices = Mutex(DeviceList())
    private let cameras = Mutex<[V4L2Camera]>([])
    private let chosenCamera = Mutex<Result<CameraDriver?, PluginFailure>>(.success(nil))

    init(settings: PluginSettings, host: TransportHost) throws(PluginFailure) {
        let settings = try SystemDeviceSettings(settings)
        self.settings = settings
        self.host = host
        let echo = settings.processing.cancelsEcho ? EchoSource() : nil
        microphone = settings.microphone.map { port in
            let driver = StreamDriver(port: port, timing: settings.captureTiming, reports: .init(host, "microphone"))
            return settings.processing.isIdle
                ? driver : ProcessedMicrophone(driver, settings.processing, reference: echo)
        }
        speaker = settings.speaker.map { port in
            StreamDriver(
                port: port, timing: settings.playbackTiming, reports: .init(host, "speaker"), echo: echo)
        }
    }

    func activate() throws(PluginFailure) {
        let list = DeviceList.read()
        devices.withLock { $0 = list }
        let (found, camera) = chooseCamera(settings.camera)
        cameras.withLock { $0 = found }
        chosenCamera.withLock { $0 = camera }
    }

    /// The camera; nil without one. Constant after ``activate()``.
    var camera: CameraDriver? {
        guard case .success(let camera) = chosenCamera.withLock({ $0 }) else { return nil }
        return camera
    }

    /// Whether the app uses the device.
    var isConnected: Bool { link.withLock { $0 == .connected } }

    var description: TransportDescription {
        var description = TransportDescription(
            name: "System device", device: Self.device,
            microphoneRate: settings.microphone.map { _ in StreamTiming.rate },
            speakerRate: settings.speaker.map { _ in StreamTiming.rate })
        description.camera = camera?.source.description
        description.details = [
            "devices": devices.withLock { $0 }.json, "cameras": V4L2Camera.json(cameras.withLock { $0 }),
            "processing": settings.processingJSON,
        ]
        return description
    }

    func connect(_ request: PluginRequest, deviceId: String?) throws(PluginFailure) {
        if let deviceId, deviceId != Self.device.id {
            request.fail(
                .unavailable(
                    "no_such_device", "This transport has one device, \"\(Self.device.id)\"; leave the device id out."))
            return
        }
        if case .failure(let failure) = chosenCamera.withLock({ $0 }) { return request.fail(failure) }
        try move(from: .disconnected, to: .connecting, "The device is connected already; disconnect it first.")
        host.reportConnecting(Self.device)
        DeviceProbe.run(settings.ports) { failure in self.probed(request, failure) }
    }

    private func probed(_ request: PluginRequest, _ failure: PluginFailure?) {
        let isCurrent = link.withLock { link in
            guard link == .connecting else { return false }
            link = failure == nil ? .connected : .disconnected
            return true
        }
        guard isCurrent else {
            request.fail(.cancelled)
            return
        }
        if let failure {
            host.reportDisconnected(.failure(failure))
            request.fail(failure)
        } else {
            host.reportConnected(Self.device)
            request.complete()
        }
    }

    func disconnect(_ request: PluginRequest) throws(PluginFailure) {
        link.withLock { if $0 != .ended { $0 = .disconnected } }
        started.withLock { $0 = [] }
        let streams: [any DeviceStream] = [microphone, speaker].compactMap { $0 }
        let camera = camera
        let left = Countdown(streams.count + (camera == nil ? 0 : 1)) {
            self.host.reportDisconnected(.userRequested)
            request.complete()
        }
        for stream in streams { stream.stop { _ in left.step() } }
        camera?.stop { _ in left.step() }
    }

    func shutdown() {
        link.withLock { $0 = .ended }
        microphone?.shutdown()
        speaker?.shutdown()
        camera?.shutdown()
        microphone?.awaitEnd()
        speaker?.awaitEnd()
    }

    // MARK: Streams

    func startMicrophone(_ request: PluginRequest, ring: AudioRing) throws(PluginFailure) {
        try start(microphone, "microphone", request, ring)
    }

    func stopMicrophone(_ request: PluginRequest) throws(PluginFailure) {
        try stop(microphone, "microphone", request)
    }

    func startSpeaker(_ request: PluginRequest, ring: AudioRing) throws(PluginFailure) {
        try start(speaker, "speaker", request, ring)
    }

    func flushSpeaker(_ flush: UInt64, upTo position: Int64) throws(PluginFailure) {
        guard let speaker else { throw .withoutStream }
        speaker.flush(flush, upTo: position)
    }

    func stopSpeaker(_ request: PluginRequest) throws(PluginFailure) { try stop(speaker, "speaker", request) }

    private func start(
        _ stream: (any DeviceStream)?, _ noun: String, _ request: PluginRequest, _ ring: AudioRing
    ) throws(PluginFailure) {
        guard let stream else { throw .withoutStream }
        guard isConnected else {
            throw .wrongState("The device is not connected; connect it before its \(noun) is started.")
        }
        guard ring.sampleRate == UInt32(StreamTiming.rate), ring.capacity > 0 else {
            throw .invalid(
                "invalid_ring", "The ring has another rate than the \(StreamTiming.rate) Hz of this transport.")
        }
        stream.start(ring, ending: try beginning(noun, request))
    }

    private func stop(
        _ stream: (any DeviceStream)?, _ noun: String, _ request: PluginRequest
    ) throws(PluginFailure) {
        guard let stream else { throw .withoutStream }
        hasEnded(noun)
        stream.stop(ending: request.end)
    }

    /// Notes that a stream is being started, and answers what its end has to call; throws for one that is started already, which a
    /// driver would find out only on its own thread.
    func beginning(
        _ noun: String, _ request: PluginRequest
    ) throws(PluginFailure) -> @Sendable (PluginFailure?) -> Void {
        guard started.withLock({ $0.insert(noun).inserted }) else {
            throw .wrongState("The \(noun) is started already; stop it first.")
        }
        return { [self] failure in
            if failure != nil { hasEnded(noun) }
            request.end(failure)
        }
    }

    /// A stream may be started again.
    func hasEnded(_ noun: String) { _ = started.withLock { $0.remove(noun) } }

    private func move(from: Link, to: Link, _ otherwise: String) throws(PluginFailure) {
        let hasMoved = link.withLock { link in
            guard link == from else { return false }
            link = to
            return true
        }
        if !hasMoved { throw .wrongState(otherwise) }
    }
}

extension PluginFailure {
    static let withoutStream = PluginFailure(
        GLASSES_ERROR_UNSUPPORTED, code: "stream_disabled",
        message: "The transport was made without this stream; its settings name \"none\" as the device.")
}

extension PluginRequest {
    /// Ends with `failure`, or well.
    func end(_ failure: PluginFailure?) {
        if let failure { fail(failure) } else { complete() }
    }
}

extension StreamDriver.Reports {
    /// Reports to `host` under the names `NOUN_lost` and `NOUN_back`.
    fileprivate init(_ host: TransportHost, _ noun: String) {
        self.init(
            lost: { host.reportEvent("\(noun)_lost", message: $0.message, details: ["code": .string($0.code)]) },
            back: { host.reportEvent("\(noun)_back", message: "The \(noun) is back.") },
            log: { host.log.debug($0) })
    }
}
