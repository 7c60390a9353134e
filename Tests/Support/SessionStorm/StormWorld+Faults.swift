import GlassesAssistant
import GlassesDomain

extension StormWorld {
    /// Something of the plan strikes, and something else will.
    func strike() {
        guard !isCalm else { return }
        plan(.strike, in: number(100...6_000))
        guard machine.state != .stopped,
            let fault = plan.faults.sorted(by: { $0.rawValue < $1.rawValue })
                .randomElement(using: &random)
        else { return }
        strike(fault)
    }

    private func strike(_ fault: StormFault) {
        switch fault {
        case .drop: dropLink()
        case .close:
            let code: UInt16 = [1001, 1011, 1012, 1013, 1009][number(0...4)]
            breakLink(.close, ConnectionClosure(code: "closed", message: "bye", closeCode: code))
        case .delay:
            counts.count(.delay)
            slowness = number(100...1_000)
            plan(.wireRecovers, in: number(500...4_000))
        case .deviceDrop:
            loseDevice(.deviceDrop, .dropped, for: chance(3) ? number(21_000...30_000) : number(300...15_000))
        case .deviceFold: loseDevice(.deviceFold, chance(4) ? .userRequested : .hingesClosed, for: number(300...5_000))
        case .deviceStall: stallSpeaker()
        case .microphoneFailure:
            guard microphone.isOpen else { return }
            counts.count(.microphoneFailure)
            microphone.speaking?.isWhole = false
            feed(.microphoneFailed(code: "hardware_unavailable", message: "no"))
        case .microphoneGate: closeGate()
        case .machineSleep: sleepMachine()
        case .sleep:
            wish(.sleep, .sleep)
            if chance(4) {
                ask(.wake)
                endSoon(.stop, within: 100)
            }
        case .stop: if chance(8) { wish(.stop, .stop) }
        case .finalClose: if chance(8) { closeForGood() }
        case .oddCall: callOddly()
        case .strayEvent: stray()
        case .silence:
            wish(.silence, chance(3) ? .applyChoices(needsConnection: chance(2)) : .cancelSpeak)
        case .protectedSpeech: sayProtected()
        case .say: wish(.say, chance(3) ? .greet(directive: chance(2) ? "greet" : nil) : .say(text: "said"))
        case .typedTurn: typeTurn()
        case .picture: wish(.picture, chance(2) ? .includePicture(prompt: "look") : .sendFrame)
        case .historyEdit: editHistory()
        case .refusal, .finalRefusal, .ceiling, .refusedSecond, .slowOpen, .duplicateCall, .lateTranscript,
            .lostTranscript,
            .lateAcknowledgement, .lostAcknowledgement, .lateAnswerEvents, .refusedRequest, .failedAnswer,
            .stalledAnswer, .missingAnswer, .brokenArguments, .unknownTool, .slowTool, .stuckTool, .throwingTool,
            .bargeIn, .backchannel, .pushedTurn, .staleTimer, .toolProgress, .farewell, .compaction:
            // These strike where they belong.
            break
        }
    }

    func closeForGood() {
        breakLink(.finalClose, ConnectionClosure(code: "closed", message: "never again", closeCode: 1008))
    }

    func dropLink() { breakLink(.drop, ConnectionClosure(code: "closed", message: "gone", closeCode: 1006)) }

    private func breakLink(_ fault: StormFault, _ closure: ConnectionClosure) {
        guard let id = current, links[id]?.isOpen == true, links[id]?.isClosing == false else { return }
        counts.count(fault)
        connectionEnded(id, closure, isFailure: false)
    }

    func loseDevice(_ fault: StormFault, _ reason: DeviceLossReason, for milliseconds: Int) {
        guard !isDeviceAway else { return }
        counts.count(fault)
        isDeviceAway = true
        advanceEar()
        ear.isStill = true
        microphone.speaking?.isWhole = false
        feed(.deviceLost(reason))
        plan(.deviceReturned, in: milliseconds)
    }

    private func stallSpeaker() {
        guard !ear.isStill, ear.isPlaying else { return }
        counts.count(.deviceStall)
        advanceEar()
        ear.isStill = true
        plan(.speakerRuns, in: number(200...3_000))
    }

    func closeGate() {
        guard !isGateClosed else { return }
        counts.count(.microphoneGate)
        isGateClosed = true
        microphone.speaking?.isWhole = false
        feed(.microphoneGateClosed)
        plan(.gateOpened, in: number(200...6_000))
    }

    func wish(_ fault: StormFault, _ operation: SessionOperation) {
        counts.count(fault)
        if fault == .sleep || fault == .stop { microphone.speaking?.isWhole = false }
        ask(operation)
    }

    private func typeTurn() {
        counts.count(.typedTurn)
        let text = "typed \(newNumber())"
        ask(.sendText(text: text))
    }

    func editHistory() {
        counts.count(.historyEdit)
        switch number(0...2) {
        case 0: feed(.historyCleared)
        case 1: feed(.turnAppended(.userText(text: "added \(newNumber())", timestampMs: 1)))
        default: feed(.historyReplaced([.userText(text: "instead \(newNumber())", timestampMs: 1)]))
        }
    }
}
