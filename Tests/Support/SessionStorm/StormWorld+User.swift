import GlassesAssistant
import GlassesDomain

extension StormWorld {
    /// The user waits until the assistant has answered, or speaks over it; after the last turn the world calms down.
    func nextTurn() {
        guard turn < plan.turns.count else {
            turnsEnd = true
            return plan(.calmEnds, in: number(0...8_000))
        }
        guard machine.state != .stopped else {
            turn = plan.turns.count
            return plan(.nextTurn, in: 0)
        }
        let next = plan.turns[turn]
        waited += 1
        let isOver = waited > Self.patience
        let isTime = next.bargesIn ? ear.isPlaying : isAtRest
        guard isTime || isOver else { return plan(.nextTurn, in: 200) }
        if next.bargesIn, ear.isPlaying { counts.count(next.utterance.isBackchannel ? .backchannel : .bargeIn) }
        waited = 0
        turn += 1
        plan(.userBegins(next), in: next.bargesIn ? number(0...1_500) : number(100...900))
    }

    /// How often the user looks, every 200 ms, whether it is time to speak.
    private static let patience = 100

    func userBegins(_ turn: StormTurn) {
        var utterance = turn.utterance
        utterance.isWhole = microphone.isOpen && !isDeviceAway
        microphone.speaking = utterance
        // The tape runs on: what is said after a kept utterance that has not become an item is on it too.
        if !microphone.kept.isEmpty { microphone.kept.append(utterance) }
        plan(.userEnds(utterance), in: utterance.milliseconds)
        guard !plan.isPushToTalk else {
            // Whoever speaks without a push is not heard.
            if chance(8), microphone.isOpen, microphone.uplink == nil { feed(.speechNoticed) }
            return pushTurn(utterance)
        }
        if let uplink = microphone.uplink {
            hear(.heardSpeech(uplink, utterance), on: uplink, after: 50)
        } else if microphone.isOpen {
            plan(.speechNoticed(utterance), in: 200)
        }
    }

    func userEnds(_ utterance: StormUtterance) {
        guard let spoken = microphone.speaking, spoken.number == utterance.number else { return }
        microphone.speaking = nil
        guard !plan.isPushToTalk else { return endPushedTurn(spoken) }
        microphone.last = (spoken, now)
        let isOnTape = microphone.uplink != nil || microphone.keptSince.duration(to: now) <= .seconds(30)
        // Heard by the same connection from its beginning on, or kept by the session.
        if spoken.isWhole, microphone.isOpen, !isDeviceAway, !isGateClosed, isOnTape, spoken.text != "good night" {
            truth.owed.insert(spoken.text)
        }
        if let uplink = microphone.uplink {
            hear(.heardSilence(uplink, utterance), on: uplink, after: number(150...500))
        }
        plan(.nextTurn, in: number(400...1_200))
    }
}
