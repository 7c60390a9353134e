import GlassesAssistant
import GlassesDomain

extension StormWorld {
    func happen(_ event: StormEvent) {
        switch event {
        case .opened(let id): connectionOpened(id)
        case .failed(let id, let closure): connectionEnded(id, closure, isFailure: true)
        case .closed(let id, let closure): connectionEnded(id, closure, isFailure: false)
        case .arrived(let id, let fact): arrived(id, fact)
        case .received(let id, let command): received(id, command)
        case .generate(let id, let responseID): generate(id, responseID)
        case .heardSpeech(let id, let utterance): heardSpeech(id, utterance)
        case .heardSilence(let id, let utterance): heardSilence(id, utterance)
        case .ceilingReached(let id): ceilingReached(id)
        case .timer(let timer): fire(timer)
        case .toolEnded(let callID, let end): toolEnded(callID, end)
        case .playback(let generation): playbackReported(generation)
        case .flushed(let id, let heard): feed(.flushCompleted(id, heard: heard))
        case .hookEnded(let hook, let message): feed(.hookEnded(hook, errorMessage: message))
        case .pictureEnded(let id, let refusal): pictureEnded(id, refusal)
        case .speechNoticed(let utterance): speechNoticed(utterance)
        case .measured(let utterance, let milliseconds): measured(utterance, milliseconds)
        case .userBegins(let turn): userBegins(turn)
        case .userEnds(let utterance): userEnds(utterance)
        case .nextTurn: nextTurn()
        case .calmEnds: isCalm = true
        case .strike: strike()
        case .deviceReturned: deviceReturned()
        case .gateOpened:
            guard isGateClosed else { return }
            isGateClosed = false
            feed(.microphoneGateOpened)
        case .speakerRuns: speakerRuns()
        case .wireRecovers: slowness = 0
        case .wake: if machine.state == .dormant { ask(.wake) }
        case .oddEnd(let end): endOddly(end)
        case .stray(let id, let fact): strayed(id, fact)
        case .unsendable(let id): unsendable(id)
        case .toolProgressed(let callID, let isAloud):
            feed(.toolProgressed(callID: callID, note: "half", isAloud: isAloud))
        case .memoryLoaded: feed(.memoryLoaded(chance(3) ? nil : "what is known"))
        case .compactionEnded(let id): compactionEnded(id)
        }
    }

    private func fire(_ timer: SessionTimer) {
        guard let due = timers[timer], due <= now else { return }
        timers[timer] = nil
        feed(.timerFired(timer))
    }

    private func pictureEnded(_ id: OperationID, _ refusal: PictureRefusal?) {
        if let refusal { return feed(.pictureFailed(id, refusal)) }
        feed(.pictureReady(id, SessionPicture(url: "data:image/jpeg;base64,AAAA")))
    }

    /// The driver's own detector listens while no connection takes the audio.
    private func speechNoticed(_ utterance: StormUtterance) {
        guard microphone.isOpen, microphone.uplink == nil else { return }
        microphone.told = microphone.speaking?.number == utterance.number ? microphone.speaking : utterance
        feed(.speechNoticed)
        microphone.told = nil
    }

    private func speakerRuns() {
        guard !isDeviceAway else { return }
        // Time that it stood still was not played.
        advanceEar()
        ear.isStill = false
        planPlayback()
    }

    func deviceReturned() {
        guard isDeviceAway else { return }
        isDeviceAway = false
        speakerRuns()
        feed(.deviceReturned)
    }
}

extension PictureRefusal {
    static let unreadable = PictureRefusal(code: "picture_undecodable", message: "no")
}
