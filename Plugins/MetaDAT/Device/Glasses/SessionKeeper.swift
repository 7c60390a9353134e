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

    /// As many as wait for a session at once; a stream, a still and a tree are three.
    private static let waitingLimit = 16

    typealias Answer = FirstAnswer<Result<DeviceSession, PluginFailure>>

    private struct State {
        var run: Run?
        /// How many runs there were.
        var runs = 0
        /// The session that has started.
        var session: DeviceSession?
        var waiting: [Answer] = []
        /// Why there is none.
        var refusal: PluginFailure?
        var hasTakenOver = false
    }

    /// Keeping sessions with one pair of glasses.
    private struct Run {
        var number: Int
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
        let old = state.withLock { state in
            defer {
                state.runs += 1
                let number = state.runs
                let task = Task { await run(number, device, needs) }
                (state.run, state.session) = (Run(number: number, task: task, needs: need), nil)
            }
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
            } else if state.waiting.count >= Self.waitingLimit {
                answer.resolve(.failure(.noSession))
            } else {
                state.waiting.append(answer)
            }
            return state.run?.needs
        }
        need?.yield()
        let result = await answer.value(within: limit, late: .failure(lateFailure))
        // Who waited in vain is not told any more.
        state.withLock { $0.waiting.removeAll { $0 === answer } }
        let session = try result.get()
        if session.state == .paused { throw .paused }
        return session
    }

    private var lateFailure: PluginFailure { state.withLock { $0.refusal } ?? .noSession }

    // MARK: One pair of glasses

    private func run(_ number: Int, _ device: DeviceIdentifier, _ needs: AsyncStream<Void>) async {
        var failures = 0
        while !Task.isCancelled {
            switch await one(number, device) {
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
    private func one(_ number: Int, _ device: DeviceIdentifier) async -> Ending {
        let takesOver = state.withLock { !$0.hasTakenOver }
        let session: DeviceSession
        do throws(DeviceSessionError) {
            session = try wearables.createSession(
                deviceSelector: SpecificDeviceSelector(device: device), takingOver: takesOver)
            try session.start()
        } catch {
            refuse(.failed("no_session", error.description), number)
            return .refused
        }
        await follow(session, number, device)
        if Task.isCancelled {
            session.stop()
            await session.waitUntilStopped()
            return .ended
        }
        guard let reason = session.endReason else { return .ended }
        refuse(PluginFailure(reason), number)
        if SessionPolicy.isHold(reason, reports.snapshot(device)) {
            reports.gesture(.hold)
            return .held
        }
        reports.ended(reason)
        return .ended
    }

    private func follow(_ session: DeviceSession, _ number: Int, _ device: DeviceIdentifier) async {
        var old = DeviceSessionState.idle
        for await new in session.stateStream() {
            let isWorn = reports.snapshot(device)?.isWorn ?? false
            if let gesture = SessionPolicy.gesture(from: old, to: new, isWorn: isWorn) { reports.gesture(gesture) }
            if new == .started, old != .paused { hasStarted(session, number) }
            if new == .stopping || new == .stopped { state.withLock { if $0.session === session { $0.session = nil } } }
            old = new
        }
    }

    private func hasStarted(_ session: DeviceSession, _ number: Int) {
        let waiting = state.withLock { state in
            // Only a session that started has ended what an earlier process left.
            state.hasTakenOver = true
            guard state.run?.number == number else { return [Answer]() }
            defer { state.waiting = [] }
            (state.session, state.refusal) = (session, nil)
            return state.waiting
        }
        for answer in waiting { answer.resolve(.success(session)) }
    }

    private func refuse(_ failure: PluginFailure, _ number: Int) {
        state.withLock { if $0.run?.number == number { $0.refusal = failure } }
    }
}
