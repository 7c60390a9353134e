import Foundation
import GlassesDomain
import MWDATCore

extension MockWorld {
    /// Takes a command of the toolkit: now, late, or never, as the faults have it.
    mutating func accept(_ command: LinkCommand, from client: MockClient, at now: MonotonicTime) {
        guard isEnabled else { return deliver(client, .unavailable(.kitDisabled)) }
        guard faults.answerDelay > .zero || !waiting.isEmpty, waiting.count < Self.waitingLimit else {
            return carryOut(command, from: client, at: now)
        }
        // Never before one that was sent earlier.
        let due = max(now.advanced(by: faults.answerDelay), waiting.last?.due ?? now)
        waiting.append(Waiting(due: due, client: client, command: command))
    }

    mutating func carryOut(_ command: LinkCommand, from client: MockClient, at now: MonotonicTime) {
        if let kind = MockFaults.Request(command) {
            if faults.unanswered.contains(kind) { return ignore(command, from: client) }
            if let refusal = faults.refusals[kind], refuse(command, refusal, to: client) { return }
        }
        switch command {
        case .register, .cancelRegistration, .unregister, .openedURL, .answerRegistrationRequest, .checkPermission,
            .requestPermission, .openUpdate:
            carryOutForCompanion(command, from: client)
        case .openSession(let session, let device, let takesOver):
            openSession(MockSessionKey(client: client, session: session), device, takesOver: takesOver)
        case .closeSession(let session):
            let key = MockSessionKey(client: client, session: session)
            guard sessions[key] != nil else { return deliver(client, .sessionEnded(session, nil)) }
            _ = endSession(key, nil)
        case .startStream(let session, let stream, let request):
            startStream(MockSessionKey(client: client, session: session), stream, request)
        case .stopStream(let session, let stream):
            let key = MockSessionKey(client: client, session: session)
            guard sessions[key]?.stream?.number == stream else {
                return deliver(client, .streamEnded(session, stream, nil))
            }
            endStream(of: key, nil)
        case .requestKeyFrame(let session, _):
            let key = MockSessionKey(client: client, session: session)
            guard let stream = sessions[key]?.stream, stream.lacksKeyFrame else { return }
            sessions[key]?.stream?.lacksKeyFrame = false
            sessions[key]?.stream?.queue.waitForKeyFrame(stream.request.coding)
        case .holdStream(let session, let stream, let held):
            hold(MockSessionKey(client: client, session: session), stream, held)
        case .capturePhoto(let session, let request, let format):
            takePhoto(MockSessionKey(client: client, session: session), request, format)
        case .startDisplay, .stopDisplay, .showView, .clearDisplay, .stopPlayback:
            carryOutOnDisplay(command, from: client)
        }
    }

    /// What an unanswered command does all the same: a registration and a permission stay open, for a callback URL to end them.
    private mutating func ignore(_ command: LinkCommand, from client: MockClient) {
        switch command {
        case .register:
            guard registration != .registered else { return }
            registration = .registering
            broadcast(.registration(.registering, nil))
        case .requestPermission(let permission, let request):
            openRequests.append(PermissionRequest(client: client, request: request, permission: permission))
        default: return
        }
    }

    /// Answers a command with a refusal; false for one that cannot be refused.
    private mutating func refuse(_ command: LinkCommand, _ refusal: Refusal, to client: MockClient) -> Bool {
        switch command {
        case .register:
            // A registration is first under way, then back where it was.
            let state = registration == .registered ? .registered : RegistrationState.available
            broadcast(.registration(.registering, nil))
            setRegistration(state, refusal)
        case .unregister: deliver(client, .registration(registration, refusal))
        case .closeSession, .stopStream, .stopDisplay: return false
        case .checkPermission, .requestPermission, .openUpdate, .openSession, .startStream, .capturePhoto,
            .startDisplay, .showView, .clearDisplay, .cancelRegistration, .openedURL, .answerRegistrationRequest,
            .requestKeyFrame, .holdStream, .stopPlayback:
            guard let answer = command.answer(refusing: refusal) else { return false }
            deliver(client, answer)
        }
        return true
    }
}
