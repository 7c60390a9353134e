import GlassesAssistant
import GlassesDomain

/// The microphone and its way to the provider.
extension SessionDriver {
    func start(_ action: MicrophoneAction) {
        switch action {
        case .stopUplink: uplink.stop()
        case .moveUplink(let id): if let connection = connections[id] { uplink.move(to: connection) }
        case .startUplink(let id, let resending):
            guard let connection = connections[id] else { return }
            let dropped = uplink.start(connection, resending: resending)
            guard dropped > 0 else { return }
            let milliseconds = dropped * 1000 / RealtimeAudio.sampleRate
            ports.events.log(.info, "microphone.dropped", ["milliseconds": .int(Int64(milliseconds))])
        case .keepUtterance(let startMs): uplink.keepUtterance(startMs: startMs)
        case .commitUtterance(let itemID, let endMs): uplink.commitUtterance(itemID, endMs: endMs)
        case .forgetUtterance(let itemID): uplink.forgetUtterance(itemID)
        case .forgetRecent: uplink.forgetRecent()
        case .measureSpeech: uplink.measureSpeech()
        case .stopMeasuring: uplink.stopMeasuring()
        case .open:
            uplink.beginCapture()
            let (hub, uplink, microphone) = (ports.microphone, uplink, microphone)
            microphoneOrders.add { [weak self] in
                guard microphone.id == nil else { return }
                let listener = MicrophoneHub.Listener(
                    sampleRate: RealtimeAudio.sampleRate, deliver: { samples, _ in uplink.send(samples) },
                    interrupted: {})
                let (id, result) = await hub.listen(listener)
                microphone.id = id
                guard case .failure(let error) = result else { return }
                // A closed gate is the user's wish, which the machine knows already.
                if case .disabledByUser = error { return }
                // A device without a microphone has not failed: a session on it is typed.
                if hub.isOnDeviceWithoutMicrophone { return }
                self?.post(.microphoneFailed(code: error.code, message: error.description))
            }
        case .close:
            uplink.endCapture()
            let (hub, microphone) = (ports.microphone, microphone)
            microphoneOrders.add { await microphone.release(to: hub) }
        }
    }
}

/// The microphone subscription of a session; only its order queue touches it.
final class OpenMicrophone: @unchecked Sendable {
    // because all reads and writes happen in operations of one OperationChain, which run one after another.
    var id: Int?

    func release(to hub: MicrophoneHub) async {
        guard let id else { return }
        self.id = nil
        await hub.stop(id)
    }
}
