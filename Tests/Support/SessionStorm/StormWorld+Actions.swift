import GlassesAssistant
import GlassesDomain

extension StormWorld {
    /// Starts an action, as the driver would.
    func follow(_ action: SessionAction) {
        switch action {
        case .send(let command, let id): up(command, on: id)
        case .playback(.playReceivedAudio(let segment)): play(segment)
        case .playback(.flush(let id)): flush(id)
        case .playback(.pause): pauseVoice()
        case .playback(.resume): resumeVoice()
        case .tool(.run(let callID, let name, _)): runTool(callID, name)
        case .tool(.cancel(let callID)): cancelTool(callID)
        case .connection(.open(let id)): openConnection(id)
        case .connection(.close(let id)): closeConnection(id)
        case .connection(.abandon(let id)): links[id] = nil
        case .timer(.schedule(let timer, let moment)):
            timers[timer] = moment
            queue.add(.timer(timer), at: moment)
        case .timer(.cancel(let timer)): cancelTimer(timer)
        case .microphone(let action): follow(action)
        case .hook(.run(let hook)):
            plan(
                .hookEnded(hook, errorMessage: chance(4) ? "no" : nil),
                in: chance(4) ? number(400...8_000) : number(1...400))
        case .picture(.prepare(let id, _)):
            plan(
                .pictureEnded(id, chance(5) ? .unreadable : nil), in: chance(3) ? number(300...6_000) : number(5...300))
        case .publishHistory(let turns): self.turns = turns
        case .notify(let event): noted(event)
        case .enter(let state): entered(state)
        case .diagnose(.answerStalled(let id)): truth.giveUp(id)
        case .diagnose(.oversizedItemLeftOut): hasLeftOut = true
        case .memory(let action): follow(action)
        case .hook(.cancelAll), .picture(.abandon), .finish, .releaseSlot, .diagnose: break
        }
    }

    private func entered(_ state: AssistantState) {
        switch state {
        case .sleeping, .stopping, .stopped:
            cutTruth()
            forgetUntold()
        case .reconnecting: if let current { truth.lose(current) }
        case .dormant where !isCalm && !turnsEnd: plan(.wake, in: number(200...2_000))
        case .idle, .dormant, .activating, .active: break
        }
    }

    /// A closed microphone takes along what was said and not put into words.
    private func forgetUntold() { truth.owed = truth.owed.filter { truth.told[$0] != nil } }

    private func noted(_ event: AssistantEvent) {
        switch event {
        case .toolCalled(_, _, let id): truth.announced.insert(id)
        case .toolResult(let id, _, let output, let isError, _):
            truth.results[id] = ToolOutput.wireText(output, isError: isError)
        case .userSpoke(let text): truth.told[text, default: 0] += 1
        default: break
        }
    }

    private func follow(_ action: MicrophoneAction) {
        switch action {
        case .open: microphone.isOpen = true
        case .close:
            microphone.isOpen = false
            microphone.kept = []
            microphone.items = [:]
            microphone.speaking?.isWhole = false
            microphone.last = nil
            forgetUntold()
        case .startUplink(let id, let isResending): startUplink(id, isResending)
        case .moveUplink(let id): moveUplink(id)
        case .stopUplink:
            microphone.uplink = nil
            guard microphone.isOpen else { return }
            if let unknown = unknownSpeech {
                plan(.speechNoticed(unknown), in: number(80...250))
            } else if let last = microphone.last?.utterance, !microphone.known.contains(last.number) {
                // A provider that needs longer than the tape remembers to say that somebody speaks.
                truth.owed.remove(last.text)
            }
        case .keepUtterance: keep()
        case .commitUtterance(let itemID, _):
            if !microphone.kept.isEmpty { microphone.items[itemID] = microphone.kept.removeFirst() }
        case .forgetUtterance(let itemID):
            if let itemID { microphone.items[itemID] = nil } else { microphone.kept = [] }
        case .forgetRecent: microphone.last = nil
        case .measureSpeech: measure()
        case .stopMeasuring: microphone.measured = nil
        }
    }

    /// Speech of which the session has not been told, and which is still on the driver's tape.
    private var unknownSpeech: StormUtterance? {
        let recent = microphone.last.flatMap { $0.end.duration(to: now) < .milliseconds(700) ? $0.utterance : nil }
        return (microphone.speaking ?? recent).flatMap { microphone.known.contains($0.number) ? nil : $0 }
    }

    private func keep() {
        guard let told = microphone.told, !microphone.kept.contains(where: { $0.number == told.number }) else { return }
        microphone.kept = [told]
        // Whoever has begun again meanwhile is on the tape too.
        if let speaking = microphone.speaking, speaking.number != told.number { microphone.kept.append(speaking) }
        microphone.keptSince = now
    }

    private func startUplink(_ id: ConnectionID, _ isResending: Bool) {
        microphone.uplink = id
        if isResending, !microphone.kept.isEmpty {
            for kept in microphone.kept {
                hear(.heardSpeech(id, kept), on: id, after: 0)
                let isOver = microphone.speaking?.number != kept.number
                if isOver { hear(.heardSilence(id, kept), on: id, after: number(50...600)) }
            }
        } else if let speaking = microphone.speaking {
            // From a microphone that was closed meanwhile, the provider hears the rest of what is being said.
            hear(.heardSpeech(id, speaking.isWhole ? speaking : rest(of: speaking)), on: id, after: 0)
        } else if let unknown = unknownSpeech, !plan.isPushToTalk {
            // A sound of which nobody was told is sent from its beginning.
            hear(.heardSpeech(id, unknown), on: id, after: 0)
            hear(.heardSilence(id, unknown), on: id, after: number(150...500))
        }
    }

    /// Speech of which the provider before has not told yet is sent to the next one from its beginning.
    private func moveUplink(_ id: ConnectionID) {
        microphone.uplink = id
        guard let utterance = unknownSpeech else {
            // A provider that needs longer than a quiet moment to say that somebody speaks.
            if let last = microphone.last?.utterance, !microphone.known.contains(last.number) {
                truth.owed.remove(last.text)
            }
            return
        }
        hear(.heardSpeech(id, utterance), on: id, after: 0)
        if microphone.speaking == nil { hear(.heardSilence(id, utterance), on: id, after: number(150...500)) }
    }

    /// What is left of an utterance whose beginning nobody heard.
    func rest(of utterance: StormUtterance) -> StormUtterance {
        var rest = utterance
        rest.text = "rest of \(utterance.number)"
        rest.isWhole = false
        return rest
    }

    // MARK: - Playback

    private func play(_ segment: SegmentID) {
        guard let frames = checks.receivedFrames else { return }
        if ear.play(segment, milliseconds: frames / 24, at: now) { planPlayback() }
    }

    func planPlayback() {
        guard ear.owesReport, !ear.isStill, !ear.isPaused else { return }
        plan(.playback(ear.generation), in: max(1, ear.nextReport))
    }

    /// Brings the ear up to now without telling the session.
    func advanceEar() { ear.advance(to: now) }

    private func flush(_ id: FlushID) {
        let heard = ear.flush(at: now, latency: ear.isStill ? 0 : number(0...25))
        // The last milliseconds were heard after the order, before the device obeyed.
        plan(.flushed(id, heard), in: number(1...100))
    }

    func playbackReported(_ generation: Int) {
        guard generation == ear.generation, ear.owesReport, !ear.isStill, !ear.isPaused else { return }
        let progress = ear.report(at: now)
        // The end of what was heard before comes before what begins.
        for position in progress.positions where generation == ear.generation {
            if progress.started.contains(position.segment) { feed(.playbackStarted(position.segment)) }
            if generation == ear.generation { feed(.playbackProgressed(position)) }
        }
        guard generation == ear.generation else { return }
        guard progress.isDrained, !ear.isPlaying else { return planPlayback() }
        ear.settle()
        feed(.playbackDrained)
    }

    // MARK: - Tools

    private func runTool(_ callID: String, _ name: String) {
        truth.runs[callID, default: 0] += 1
        running.insert(callID)
        if strikes(.toolProgress, oneIn: 2) {
            plan(
                .toolProgressed(callID: callID, isAloud: chance(2)),
                in: chance(2) ? number(1...2_000) : number(1...12_000))
        }
        if strikes(.slowTool, oneIn: 3) { return plan(.toolEnded(callID: callID, .returned), in: 30_000) }
        if strikes(.stuckTool, oneIn: 4) {
            stubborn.insert(callID)
            return plan(.toolEnded(callID: callID, .returned), in: number(8_000...20_000))
        }
        let end: StormToolEnd = strikes(.throwingTool, oneIn: 3) ? .threw : .returned
        plan(.toolEnded(callID: callID, end), in: number(5...2_500))
    }

    private func cancelTool(_ callID: String) {
        guard running.contains(callID), !stubborn.contains(callID) else { return }
        plan(.toolEnded(callID: callID, .threw), in: number(1...300))
    }

    func toolEnded(_ callID: String, _ end: StormToolEnd) {
        guard running.remove(callID) != nil else { return }
        switch end {
        case .returned: feed(.toolReturned(callID: callID, output: "output of \(callID)", isError: false))
        case .threw: feed(.toolThrew(callID: callID, message: "no"))
        }
    }
}
