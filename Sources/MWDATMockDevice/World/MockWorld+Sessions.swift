import MWDATCore

extension MockWorld {
    mutating func openSession(_ key: MockSessionKey, _ identifier: DeviceIdentifier, takesOver: Bool) {
        guard let glasses = find(identifier), glasses.isListed else {
            return deliver(key.client, .sessionEnded(key.session, .unknownDevice))
        }
        // A number that is in use is not this toolkit's doing, but anybody may write to a socket.
        guard sessions[key] == nil else { return }
        if let refusal = sessionRefusal(of: glasses, takesOver: takesOver) {
            return deliver(key.client, .sessionEnded(key.session, refusal))
        }
        if let other = glasses.session { _ = endSession(other, .takenOver) }
        sessions[key] = SimulatedSession(device: identifier)
        change(identifier) { ($0.session, $0.isLeaked) = (key, false) }
        deliver(key.client, .sessionStarted(key.session))
    }

    private func sessionRefusal(of glasses: SimulatedGlasses, takesOver: Bool) -> Refusal? {
        if registration != .registered { return .notRegistered }
        if !glasses.isPowered { return .poweredOff }
        if !glasses.isUnfolded { return .folded }
        if glasses.linkState != .connected { return .notConnected }
        switch glasses.compatibility {
        case .compatible, .undefined: break
        case .deviceUpdateRequired: return .deviceTooOld
        case .sdkUpdateRequired: return .toolkitTooOld
        }
        if behavior.donRequirement == .always, !glasses.isDonned { return .notWorn }
        if glasses.isTooHot { return .tooHot }
        if glasses.isBatteryCritical { return .batteryEmpty }
        if glasses.session != nil || glasses.isLeaked, !takesOver { return .occupied }
        return nil
    }

    /// Ends a session with everything that it carries, and answers the glasses that it ran on.
    mutating func endSession(_ key: MockSessionKey, _ reason: Refusal?) -> DeviceIdentifier? {
        guard sessions[key] != nil else { return nil }
        endStream(of: key, reason)
        if let photo = sessions[key]?.photo {
            deliver(key.client, .photoFailed(key.session, photo, reason ?? .sessionClosed))
        }
        if sessions[key]?.display != nil { deliver(key.client, .displayEnded(key.session, reason)) }
        let device = sessions.removeValue(forKey: key)?.device
        change(device) { $0.session = nil }
        deliver(key.client, .sessionEnded(key.session, reason))
        return device
    }

    /// Ends the session of one pair of glasses, if there is one.
    mutating func endSession(on identifier: DeviceIdentifier, _ reason: Refusal) {
        guard let key = find(identifier)?.session else { return }
        _ = endSession(key, reason)
    }

    mutating func endAllSessions(_ reason: Refusal) {
        for glasses in glasses { endSession(on: glasses.identifier, reason) }
    }

    // MARK: Pausing

    mutating func pause(_ key: MockSessionKey, _ pause: SimulatedSession.Pause) {
        guard let session = sessions[key], session.pause == nil else { return }
        sessions[key]?.pause = pause
        deliver(key.client, .sessionPaused(key.session))
        guard let stream = session.stream, !stream.isHeld else { return }
        sessions[key]?.stream?.queue.clear()
        deliver(key.client, .streamPaused(key.session, stream.number))
    }

    mutating func resume(_ key: MockSessionKey) {
        guard let session = sessions[key], session.pause != nil else { return }
        sessions[key]?.pause = nil
        deliver(key.client, .sessionResumed(key.session))
        guard let stream = session.stream, !stream.isHeld else { return }
        deliver(key.client, .streamResumed(key.session, stream.number))
    }
}
