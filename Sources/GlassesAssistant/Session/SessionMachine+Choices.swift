import GlassesDomain

/// What the app chooses anew while the session is awake: instructions, effort, voice, model.
extension SessionMachine {
    mutating func applyChoices(_ needsConnection: Bool, _ id: OperationID) {
        guard isReady(id) else { return }
        // The next connection begins with them.
        guard state == .active else { return finish(id, .succeeded) }
        if needsConnection {
            finish(id, .succeeded)
            return beginRotation()
        }
        let eventID = newID("update")
        calls[id] = .choices(eventID: eventID)
        schedule(.operation(id), after: Limits.operation)
        send(.updateSession(eventID: eventID))
    }

    /// The provider answers updates in their order.
    mutating func choicesTaken() { endCall(waitingForChoices.first, .succeeded) }

    /// A connection that is made anew has them all.
    mutating func allChoicesTaken() { for id in waitingForChoices { endCall(id, .succeeded) } }

    private var waitingForChoices: [OperationID] {
        calls.filter { if case .choices = $0.value { true } else { false } }.keys.sorted { $0.number < $1.number }
    }
}
