import GlassesDomain

/// What a machine that slept, as a closed laptop does, leaves of a session.
extension SessionMachine {
    /// After so long a connection is taken for dead: its peer has waited in vain for as much of the microphone's audio as counts as a
    /// lost connection.
    private static let deadAfter = Duration.seconds(5)

    /// No timer counted the time. A connection is replaced at once instead of being waited for, and a reconnect begins anew: the network
    /// was not away because of its own faults.
    mutating func machineResumed(after time: Duration) {
        wasTouched = true
        switch state {
        case .active: activeResumed(after: time)
        case .reconnecting: reconnectResumed(after: time)
        case .activating: activationResumed(after: time)
        case .idle, .dormant, .sleeping, .stopping, .stopped: break
        }
    }

    /// Turns are stamped by the new time, and what the provider said of its end means another moment.
    mutating func wallClockMoved(_ offset: Int64) {
        wallClockOffset = offset
        endAnnounced(before: nil)
    }

    private mutating func activeResumed(after time: Duration) {
        guard time >= Self.deadAfter, case .open(let id) = link, loseConnection(id, .networkDrop) else { return }
        act(.connection(.abandon(id)))
        openConnection(within: Limits.connectionSetup)
    }

    private mutating func reconnectResumed(after time: Duration) {
        reconnect.succeed()
        switch link {
        case .waiting:
            cancel(.reconnect)
            openConnection(within: Limits.connectionSetup)
        case .opening(let id), .configuring(let id, _), .replaying(let id, _), .replacing(let id):
            guard time >= Self.deadAfter else { return }
            cancel(.connectionSetup(id))
            cancel(.replay(id))
            leaveAttempt(id)
            openConnection(within: Limits.connectionSetup)
        case .none, .open, .closing: break
        }
    }

    /// A wake's attempt is made anew in what is left of the wake's time: its peer is gone, and nothing would tell before the time is up.
    private mutating func activationResumed(after time: Duration) {
        guard time >= Self.deadAfter, let id = link.id, let limit = deadlines[.connectionSetup(id)], limit > now
        else { return }
        cancel(.connectionSetup(id))
        cancel(.replay(id))
        leaveAttempt(id)
        openConnection(within: now.duration(to: limit))
    }

    private mutating func leaveAttempt(_ id: ConnectionID) {
        act(.connection(.close(id)))
        act(.connection(.abandon(id)))
        cancel(.teardown(id))
    }
}
