import GlassesAssistant
import GlassesDomain

/// The clocks that no timer tells of: a machine that slept, and a wall clock that was set.
extension SessionDriver {
    /// How often they are looked at while the session has a connection or wants one.
    private static let clockPeriod = Duration.seconds(1)

    /// Begins to look, or ends, as the session's new state needs it.
    func watchClocks(in state: AssistantState) {
        switch state {
        case .activating, .active, .reconnecting: if clockTask == nil { beginClockWatch() }
        case .idle, .dormant, .sleeping, .stopping, .stopped:
            clockTask?.cancel()
            clockTask = nil
        }
    }

    private func beginClockWatch() {
        let clock = ports.clock
        clockTask = Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            while !Task.isCancelled {
                do { try await clock.sleepUntil(clock.now().advanced(by: Self.clockPeriod)) } catch { return }
                await self?.lookAtClocks()
            }
        }
    }

    /// Before the session learns anything else: what it does next may depend on it.
    func lookAtClocks() {
        let seen = clockWatch.look(at: ports.clock)
        if let offset = seen.offset { apply(.wallClockMoved(offsetMilliseconds: offset)) }
        if let slept = seen.slept { apply(.machineResumed(after: slept)) }
    }
}
