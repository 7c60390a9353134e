import GlassesAssistant
import GlassesDomain

extension StormWorld {
    /// Milliseconds that something takes on the wire, one way.
    func oneWay() -> Int { plan.wire + number(0...plan.wire) + (slowness > 0 ? number(0...slowness) : 0) }

    func openConnection(_ id: ConnectionID) {
        let isSecond = current.flatMap { links[$0] }.map { $0.isOpen && !$0.isClosing } ?? false
        if isSecond { second = id } else { current = id }
        links[id] = StormLink()
        if isSecond, strikes(.refusedSecond, oneIn: 2) { return plan(.failed(id, Self.oneOnly), in: oneWay()) }
        if strikes(.finalRefusal, oneIn: 12) {
            return plan(.failed(id, Self.refusedForGood), in: oneWay())
        }
        if strikes(.refusal, oneIn: 3) {
            let closure = Self.refusals[number(0...(Self.refusals.count - 1))]
            return plan(.failed(id, closure), in: 2 * oneWay())
        }
        plan(.opened(id), in: strikes(.slowOpen, oneIn: 3) ? number(1_000...9_500) : 2 * oneWay())
    }

    private static let refusedForGood = ConnectionClosure(code: "http_403", message: "no", httpStatus: 403)
    private static let calledOff = ConnectionClosure(code: "cancelled", message: "no")
    private static let oneOnly = ConnectionClosure(code: "http_429", message: "one at a time", httpStatus: 429)
    private static let refusals = [
        ConnectionClosure(code: "http_503", message: "no", httpStatus: 503),
        ConnectionClosure(code: "http_429", message: "no", httpStatus: 429, retryAfter: 2),
        ConnectionClosure(code: "http_401", message: "no", httpStatus: 401),
        ConnectionClosure(code: "connection_refused", message: "no"),
    ]

    func connectionOpened(_ id: ConnectionID) {
        guard links[id] != nil else { return }
        // An attempt that was given up can still open.
        links[id]?.isOpen = true
        feed(.connectionOpened(id))
    }

    func closeConnection(_ id: ConnectionID) {
        guard links[id] != nil else { return }
        if id == second { second = nil }
        // An awake session closes the one in use when it has moved to the other.
        if id == current, machine.state == .active, let second {
            current = second
            self.second = nil
            moved()
        }
        links[id]?.isClosing = true
        guard links[id]?.isOpen == true else {
            // An attempt that is called off opens all the same, or says so.
            if chance(2) { plan(.failed(id, Self.calledOff), in: chance(2) ? 0 : number(1...2_000)) }
            return
        }
        straysOnClosed(id)
        // A far end that does not answer is abandoned by the session.
        plan(.closed(id, ConnectionClosure(code: "closed", message: "bye", closeCode: 1000)), in: number(5...2_600))
    }

    func connectionEnded(_ id: ConnectionID, _ closure: ConnectionClosure, isFailure: Bool) {
        guard links.removeValue(forKey: id) != nil else { return }
        if id == second {
            second = nil
            endSoon(chance(3) ? .stop : .finalClose, within: 600)
        }
        feed(isFailure ? .connectionFailed(id, closure) : .connectionClosed(id, closure))
    }

    /// Sends a command to the provider.
    func up(_ command: SessionCommand, on id: ConnectionID) {
        guard var link = links[id], link.isOpen else { return }
        // Audio and commands share the wire: a commit comes after what was said.
        if case .commitInput = command { link.lastUp = max(link.lastUp, link.lastHeard) }
        link.lastUp = max(link.lastUp, now.advanced(by: .milliseconds(oneWay())))
        queue.add(.received(id, command), at: link.lastUp)
        links[id] = link
    }

    /// Sends an event to the session, not before `milliseconds` from now; nothing overtakes on a connection.
    func down(_ fact: ServerFact, on id: ConnectionID, after milliseconds: Int = 0) {
        guard var link = links[id], link.isOpen else { return }
        link.lastDown = max(link.lastDown, now.advanced(by: .milliseconds(milliseconds + oneWay())))
        queue.add(.arrived(id, fact), at: link.lastDown)
        links[id] = link
    }

    /// As ``down(_:on:after:)``, for what a provider works out beside the rest: it does not hold up what is sent meanwhile.
    func aside(_ fact: ServerFact, on id: ConnectionID, after milliseconds: Int) {
        guard let link = links[id], link.isOpen else { return }
        let due = max(link.lastDown, now.advanced(by: .milliseconds(oneWay())))
        queue.add(.arrived(id, fact), at: due.advanced(by: .milliseconds(milliseconds)))
    }

    /// The provider hears something, not before `milliseconds` from now.
    func hear(_ event: StormEvent, on id: ConnectionID, after milliseconds: Int) {
        guard var link = links[id] else { return }
        link.lastHeard = max(link.lastHeard, now.advanced(by: .milliseconds(milliseconds + oneWay())))
        queue.add(event, at: link.lastHeard)
        links[id] = link
    }

    /// The provider ends the session, as it said.
    func ceilingReached(_ id: ConnectionID) {
        guard links[id]?.isOpen == true, links[id]?.isClosing == false else { return }
        if chance(2) {
            feed(.server(id, .errorReported(code: "session_expired", message: "that was long", eventID: nil)))
        }
        connectionEnded(id, ConnectionClosure(code: "closed", message: "bye", closeCode: 1001), isFailure: false)
    }

    func arrived(_ id: ConnectionID, _ fact: ServerFact) {
        guard links[id]?.isOpen == true else { return }
        if case .userTranscriptCompleted(let itemID, let text) = fact, id == current || id == second {
            links[id]?.provider.set(itemID, .user(text))
        }
        if case .speechStarted(let itemID, _) = fact, microphone.uplink == id {
            microphone.told = links[id]?.provider.utterances[itemID]
            if let told = microphone.told { microphone.known.insert(told.number) }
        }
        feed(.server(id, fact))
        microphone.told = nil
    }
}
