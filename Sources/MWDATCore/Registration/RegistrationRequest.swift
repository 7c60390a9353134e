import Synchronization

/// The companion's offer to register the app, which the app answers once, within a minute.
public struct RegistrationRequest: Sendable {
    private let hub: WearablesHub
    private let identifier: UInt64
    private let answer = Answer()

    init(hub: WearablesHub, identifier: UInt64) {
        self.hub = hub
        self.identifier = identifier
    }

    /// Accepts, and returns when the app is registered.
    ///
    /// - Throws: that it was answered before or has expired, or that the registration failed.
    public func continueRegistration() async throws(RegistrationRequestError) {
        guard answer.begin() else { throw .alreadyAnswered }
        try await hub.acceptRegistrationRequest(identifier)
    }

    /// Declines; the registration's state stays.
    ///
    /// - Throws: that it was answered before or has expired.
    public func cancelRegistration() async throws(RegistrationRequestError) {
        guard answer.begin() else { throw .alreadyAnswered }
        try hub.declineRegistrationRequest(identifier)
    }
}

/// Whether a request has been answered; shared by its copies.
private final class Answer: Sendable {
    private let isGiven = Mutex(false)

    /// False when it was given before.
    func begin() -> Bool {
        isGiven.withLock { isGiven in
            defer { isGiven = true }
            return !isGiven
        }
    }
}
