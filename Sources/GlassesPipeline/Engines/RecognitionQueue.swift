import GlassesDomain
import Synchronization

/// One recogniser shared by many sessions: one utterance at a time, complete ones first.
///
/// An utterance is recognised while it is spoken if the engine is free. When another one is complete meanwhile, the
/// open one gives way and is begun again afterwards from its kept audio, so that nobody waits for a stranger to finish
/// talking.
final class RecognitionQueue: Sendable {
    /// An utterance in the queue.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    private typealias Waiter = CheckedContinuation<(any SpeechToTextUtterance)?, Never>

    private struct Entry {
        /// The audio at the engine's rate; at most 30 s, by the session's limit.
        var samples: [Int16] = []
        var isComplete = false
        let onPartial: @Sendable (RecognitionResult) -> Void
        /// Who waits for its turn to be finished.
        var waiter: Waiter?
    }

    private struct State {
        var entries: [Ticket: Entry] = [:]
        /// Tickets without the engine, oldest first.
        var waiting: [Ticket] = []
        var active: (ticket: Ticket, utterance: any SpeechToTextUtterance)?
        var lastNumber = 0
        /// Those whose wait has ended, and what with, until the lock is open.
        var released: [(Waiter, (any SpeechToTextUtterance)?)] = []
    }

    private let engine: any SpeechToTextEngine
    private let state = Mutex(State())

    /// The rate of the audio that ``push(_:to:)`` takes.
    var sampleRate: Int { engine.sampleRate }

    init(engine: any SpeechToTextEngine) { self.engine = engine }

    /// Adds an utterance; `onPartial` gets what was understood so far, on threads of the engine.
    func open(onPartial: @escaping @Sendable (RecognitionResult) -> Void = { _ in }) -> Ticket {
        change { state in
            state.lastNumber += 1
            let ticket = Ticket(number: state.lastNumber)
            state.entries[ticket] = Entry(onPartial: onPartial)
            state.waiting.append(ticket)
            activateNext(&state)
            return ticket
        }
    }

    /// Adds audio. The engine's `push` copies and returns at once, so it may run inside the lock, which keeps audio in
    /// order when the utterance gets the engine at this moment.
    func push(_ samples: [Int16], to ticket: Ticket) {
        state.withLock { state in
            guard state.entries[ticket] != nil else { return }
            state.entries[ticket]?.samples.append(contentsOf: samples)
            if let active = state.active, active.ticket == ticket { _ = active.utterance.push(samples) }
        }
    }

    /// Waits for the words; cancelling the task drops the utterance.
    func finish(_ ticket: Ticket) async throws(SpeechEngineError) -> RecognitionResult {
        let utterance = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in complete(ticket, continuation) }
        } onCancel: {
            cancel(ticket)
        }
        guard let utterance else { throw SpeechEngineError(code: "cancelled", message: "The utterance was dropped.") }
        defer { remove(ticket) }
        return try await utterance.finish()
    }

    /// Drops an utterance; a waiting ``finish(_:)`` throws `cancelled`. One that is not there is ignored.
    func cancel(_ ticket: Ticket) {
        let utterance = state.withLock { state in
            state.active.flatMap { $0.ticket == ticket ? $0.utterance : nil }
        }
        utterance?.cancel()
        remove(ticket)
    }

    private func complete(_ ticket: Ticket, _ continuation: Waiter) {
        change { state in
            guard state.entries[ticket] != nil else { return state.released.append((continuation, nil)) }
            state.entries[ticket]?.isComplete = true
            if let active = state.active, active.ticket == ticket {
                return state.released.append((continuation, active.utterance))
            }
            state.entries[ticket]?.waiter = continuation
            preemptOpen(&state)
            activateNext(&state)
        }
    }

    /// Takes the engine from an utterance that is still spoken.
    private func preemptOpen(_ state: inout State) {
        guard let active = state.active, state.entries[active.ticket]?.isComplete == false else { return }
        active.utterance.cancel()
        state.active = nil
        state.waiting.append(active.ticket)
    }

    private func activateNext(_ state: inout State) {
        guard state.active == nil, !state.waiting.isEmpty else { return }
        let index = state.waiting.firstIndex { state.entries[$0]?.isComplete ?? false } ?? 0
        let ticket = state.waiting.remove(at: index)
        let onPartial = state.entries[ticket]?.onPartial
        let utterance = engine.start { onPartial?($0) }
        state.active = (ticket, utterance)
        if let samples = state.entries[ticket]?.samples, !samples.isEmpty { _ = utterance.push(samples) }
        if let waiter = state.entries[ticket]?.waiter { state.released.append((waiter, utterance)) }
        state.entries[ticket]?.waiter = nil
    }

    private func remove(_ ticket: Ticket) {
        change { state in
            let entry = state.entries.removeValue(forKey: ticket)
            state.waiting.removeAll { $0 == ticket }
            if let active = state.active, active.ticket == ticket { state.active = nil }
            if let waiter = entry?.waiter { state.released.append((waiter, nil)) }
            activateNext(&state)
        }
    }

    /// Changes the state and lets those go on whose wait ended by it. Not under the lock: a task that is being cancelled
    /// holds its own lock and comes for this one.
    private func change<T>(_ body: (inout State) -> T) -> T {
        let (result, released): (T, [(Waiter, (any SpeechToTextUtterance)?)]) = state.withLock { state in
            let result = body(&state)
            defer { state.released = [] }
            return (result, state.released)
        }
        for (waiter, utterance) in released { waiter.resume(returning: utterance) }
        return result
    }
}
