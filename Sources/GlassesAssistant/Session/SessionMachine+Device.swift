import GlassesDomain

extension SessionMachine {
    private var mayCapture: Bool { isDeviceHere && isMicrophoneAllowed }

    /// Opens the microphone and its way to the provider as far as they may be open.
    mutating func openMicrophone() {
        guard state == .active, mayCapture, case .open(let id) = link else { return }
        if !isMicrophoneOpen {
            cancel(.microphoneRetry)
            isMicrophoneOpen = true
            act(.microphone(.open))
        }
        if uplink != id, isUplinkWanted {
            uplink = id
            act(.microphone(.startUplink(id, resending: speech.isOpen)))
        }
    }

    /// Moves the way to the provider to another connection, if it is open.
    mutating func moveUplink(to id: ConnectionID) {
        guard uplink != nil else { return }
        uplink = id
        act(.microphone(.moveUplink(id)))
    }

    mutating func stopUplink() {
        guard uplink != nil else { return }
        uplink = nil
        act(.microphone(.stopUplink))
    }

    /// Closes the microphone for a reason of the session's, the device's or the user's; whatever opens it again begins anew.
    mutating func closeMicrophone() {
        cancel(.microphoneRetry)
        microphoneFailures = 0
        stopUplink()
        if pushedTurn == .open { leavePushedTurn() }
        guard isMicrophoneOpen else { return }
        isMicrophoneOpen = false
        // With the microphone the driver forgets all that it kept.
        speech = KeptSpeech()
        act(.microphone(.close))
    }

    /// Nothing more comes of the utterance under way: the provider forgets what it heard of it.
    private mutating func endUtterance() {
        guard uplink != nil else { return }
        closeMicrophone()
        send(.clearInput(eventID: newID("clear")))
        isUserSpeaking = false
        cancel(.utterance)
        applyGate(.holdEnded(.userSpeaking))
    }

    mutating func microphoneGateClosed() {
        isMicrophoneAllowed = false
        endUtterance()
        closeMicrophone()
    }

    /// Something else may hold the microphone for a moment: the session goes on deaf and tries again until it hears. The app
    /// is told once. The failed capture is closed all the same, because its subscription would open by itself later.
    mutating func microphoneFailed(_ code: String, _ message: String) {
        guard isMicrophoneOpen else { return }
        let earlier = microphoneFailures
        endUtterance()
        closeMicrophone()
        microphoneFailures = earlier + 1
        schedule(.microphoneRetry, after: Limits.firstMicrophoneRetry * (1 << min(earlier, Limits.microphoneDoublings)))
        if earlier == 0 { notify(.error(kind: code, message: message)) }
    }

    /// A sound of the user's proves that the microphone works: its next failure is news.
    mutating func microphoneHeard() { microphoneFailures = 0 }

    mutating func deviceLost(_ reason: DeviceLossReason) {
        isDeviceHere = false
        guard state == .active || state == .reconnecting else { return }
        endUtterance()
        closeMicrophone()
        applyGate(.holdBegan(.deviceLost))
        cutAnswers(.deviceLost)
        switch reason {
        case .dropped: schedule(.deviceReturn, after: configuration.deviceReturnLimit)
        case .hingesClosed, .userRequested: sleepByItself(.deviceLost)
        }
    }

    mutating func deviceReturned() {
        isDeviceHere = true
        cancel(.deviceReturn)
        openMicrophone()
        applyGate(.holdEnded(.deviceLost))
    }

    /// A session that wakes without its device gives it as long to appear as one that lost it.
    mutating func awaitDevice() {
        guard !isDeviceHere else { return }
        applyGate(.holdBegan(.deviceLost))
        schedule(.deviceReturn, after: configuration.deviceReturnLimit)
    }

    mutating func hookEnded(_ hook: SessionHook, _ errorMessage: String?) {
        guard let errorMessage, state != .stopped else { return }
        notify(.error(kind: hook == .onWake ? "wake_hook" : "sleep_hook", message: errorMessage))
    }
}
