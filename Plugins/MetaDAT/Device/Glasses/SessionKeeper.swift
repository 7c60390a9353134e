import GlassesPluginKit
import MWDATCore
import Synchronization

/// Keeps a session with the connected glasses, and makes another one when it ends.
///
/// The first session of a process takes over what an earlier process may have left on the glasses. After the wearer ended one by
/// holding the temple, the next is made when something needs it.
final class SessionKeeper: Sendable {
    struct Reports: Sendable {
        var gesture: @Sendable (InputReport.Gesture) -> Void
        var ended: @Sendable (Refusal) -> Void
        var snapshot: @Sendable (DeviceIdentifier) -> GlassesSnapshot?
    }

    typealias Answer = FirstAnswer<Result<DeviceSession, PluginFailure>>

    private struct State {
        var run: Run?
        /// The session that has started.
        var session: DeviceSession?
        var waiting: [Answer] = []
        /// Why there is none.
        var refusal: PluginFailure?
        var hasTakenOver = false
    }

    /// Keeping sessions with one pair of glasses.
    private struct Run {
        var task: Task<Void, Never>
        var needs: AsyncStream<Void>.Continuation
    }

    private enum Ending {
        case refused
        case ended
        case held
    }

    private let wearables: any WearablesInterface
    private let reports: Reports
    private let state = Mutex(State())

    init(_ wearables: any WearablesInterface, reports: Reports) {
        self.wearables = wearables
        self.reports = reports
    }

    /// Keeps sessions with these glasses from now on.
    func keep(_ device: DeviceIdentifier) {
        let (needs, need) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = Task { await run(device, needs) }
        let old = state.withLock { state in
            defer { state.run = Run(task: task, needs: need) }
            return state.run
        }
        old?.task.cancel()
    }

    /// Ends the session, and makes no other one.
    func release() {
        let (old, session, waiting) = state.withLock { state in
            defer { (state.run, state.session, state.waiting, state.refusal) = (nil, nil, [], nil) }
            return (state.run, state.session, state.waiting)
        }
        old?.task.cancel()
        session?.stop()
        for answer in waiting { answer.resolve(.failure(.disconnected)) }
    }

    /// The session once it has started, or why there is none within `limit`.
    func started(within limit: Duration) async throws(PluginFailure) -> DeviceSession {
        let answer = Answer()
        let need = state.withLock { state -> AsyncStream<Void>.Continuation? in
            if let session = state.session {
                answer.resolve(.success(session))
            } else if state.run == nil {
                answer.resolve(.failure(.disconnected))
            } else {
                state.waiting.append(answer)
            }
            return state.run?.needs
        }
        need?.yield()
        let session = try await answer.value(within: limit, late: .failure(lateFailure)).get()
        if session.state == .paused { throw .paused }
        return session
    }

    private var lateFailure: PluginFailure { state.withLock { $0.refusal } ?? .noSession }

    // MARK: One pair of glasses

    private func run(_ device: DeviceIdentifier, _ needs: AsyncStream<Void>) async {
        var failures = 0
        while !Task.isCancelled {
            switch await one(device) {
            case .refused: failures += 1
            case .ended: failures = 1
            case .held:
                for await _ in needs { break }
                continue
            }
            // Cancelled: the glasses are not wanted any more.
            do { try await Task.sleep(for: SessionPolicy.pause(afterFailures: failures)) } catch { return }
        }
    }

    /// Makes a session and follows it to its end.
    private func one(_ device: DeviceIdentifier) async -> Ending {
        let takesOver = state.withLock { state in
            defer { state.hasTakenOver = true }
            return !state.hasTakenOver
        }
        let session: DeviceSession
        do throws(DeviceSessionError) {
            session = try wearables.createSession(
                deviceSelector: SpecificDeviceSelector(device: device), takingOver: takesOver)
            try session.start()
        } catch {
            refuse(.failed("no_session", error.description))
            return .refused
        }
        await follow(session, device)
        if Task.isCancelled {
            session.stop()
            await session.waitUntilStopped()
            return .ended
        }
        guard let reason = session.endReason else { return .ended }
        refuse(PluginFailure(reason))
        if SessionPolicy.isHold(reason, reports.snapshot(device)) {
            reports.gesture(.hold)
            return .held
        }
        reports.ended(reason)
        return .ended
    }

    private func follow(_ session: DeviceSession, _ device: DeviceIdentifier) async {
        var old = DeviceSessionState.idle
        for await new in session.stateStream() {
            let isWorn = reports.snapshot(device)?.isWorn ?? false
            if let gesture = SessionPolicy.gesture(from: old, to: new, isWorn: isWorn) { reports.gesture(gesture) }
            if new == .started, old != .paused { hasStarted(session) }
            if new == .stopping || new == .stopped { state.withLock { if $0.session === session { $0.session = nil } } }
            old = new
        }
    }

    private func hasStarted(_ session: DeviceSession) {
        let isWanted = !Task.isCancelled
        let waiting = state.withLock { state in
            guard isWanted else { return [Answer]() }
            defer { state.waiting = [] }
            (state.session, state.refusal) = (session, nil)
            return state.waiting
        }
        for answer in waiting { answer.resolve(.success(session)) }
    }

    private func refuse(_ failure: PluginFailure) { state.withLock { $0.refusal = failure } }
}
