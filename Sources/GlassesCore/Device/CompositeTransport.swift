import GlassesDomain
@_spi(ExtentosTools) import GlassesRuntime
import Synchronization

/// Glasses whose sound goes through the operating system: one transport for the glasses themselves, and one for their microphone and
/// loudspeaker, as one.
///
/// The connection is that of the glasses. Sound that is lost is an error and no disconnect: it comes back by itself, as it does for
/// the device alone.
final class CompositeTransport: GlassesTransport {
    let facts: TransportFacts
    let events: AsyncStream<TransportEvent>

    private let glasses: any GlassesTransport
    private let sound: any GlassesTransport
    private let continuation: AsyncStream<TransportEvent>.Continuation
    private let isSoundConnected = Mutex(false)

    /// As the port says: newest 256 kept.
    private static let eventLimit = 256

    /// Both have to be loaded and not yet connected, and end with this.
    init(glasses: any GlassesTransport, sound: any GlassesTransport) {
        self.glasses = glasses
        self.sound = sound
        facts = TransportFacts(glasses.facts, sound: sound.facts)
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.eventLimit))
        let (glassesEvents, soundEvents) = (glasses.events, sound.events)
        Task(executorPreference: RuntimeThreads.shared) { [continuation] in
            for await event in glassesEvents { continuation.yield(event) }
        }
        Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            for await event in soundEvents { self?.heard(event) }
        }
    }

    var microphone: (any MicrophonePort)? { sound.microphone }
    var speaker: (any SpeakerPort)? { sound.speaker }
    var camera: (any CameraPort)? { glasses.camera }
    var display: (any DisplayPort)? { glasses.display }
    var registration: (any RegistrationPort)? { glasses.registration }

    func connect(deviceId: DeviceId?) async -> ExtentosResult<DeviceInfo, ConnectError> {
        let connected = await glasses.connect(deviceId: deviceId)
        guard case .success = connected, !isSoundConnected.withLock({ $0 }) else { return connected }
        switch await sound.connect(deviceId: nil) {
        case .success:
            isSoundConnected.withLock { $0 = true }
            return connected
        case .failure(let error):
            await glasses.disconnect()
            return .failure(error)
        }
    }

    func disconnect() async {
        isSoundConnected.withLock { $0 = false }
        async let glassesGone: Void = glasses.disconnect()
        async let soundGone: Void = sound.disconnect()
        _ = await (glassesGone, soundGone)
    }

    func handleUrl(_ url: String) async -> Bool { await glasses.handleUrl(url) }

    func shutdown() async {
        async let glassesGone: Void = glasses.shutdown()
        async let soundGone: Void = sound.shutdown()
        _ = await (glassesGone, soundGone)
        continuation.finish()
    }

    private func heard(_ event: TransportEvent) {
        switch event {
        case .errorEvent: continuation.yield(event)
        case .stateChanged(.disconnected(let cause)):
            guard
                isSoundConnected.withLock({ isConnected in
                    defer { isConnected = false }
                    return isConnected
                })
            else { return }
            continuation.yield(.errorEvent(TransportError(soundLost: cause)))
        // What the device beside the glasses does otherwise is not their connection.
        case .stateChanged, .registrationChanged, .powerChanged, .inputReceived, .pairingCodeShown: break
        }
    }
}

extension TransportFacts {
    /// Glasses with the sound of another device.
    fileprivate init(_ glasses: TransportFacts, sound: TransportFacts) {
        self = glasses
        capabilities.microphone = sound.capabilities.microphone
        capabilities.speaker = sound.capabilities.speaker
        (microphoneRate, speakerRate) = (sound.microphoneRate, sound.speakerRate)
        details = glasses.details.merging(sound.details) { own, _ in own }
    }
}

extension TransportError {
    fileprivate init(soundLost cause: DisconnectCause) {
        if case .transportFailure(let error) = cause {
            self = error
        } else {
            self = .hardwareUnavailable(reason: "sound_lost")
        }
    }
}
