import GlassesAssistant
import GlassesDomain

/// Something that will happen in the world.
enum StormEvent: Sendable {
    case opened(ConnectionID)
    case failed(ConnectionID, ConnectionClosure)
    case closed(ConnectionID, ConnectionClosure)
    /// A server event arrives at the session.
    case arrived(ConnectionID, ServerFact)
    /// A command arrives at the provider.
    case received(ConnectionID, SessionCommand)
    /// The provider goes on with an answer.
    case generate(ConnectionID, responseID: String)
    /// The provider hears the beginning, and then the end, of speech.
    case heardSpeech(ConnectionID, StormUtterance)
    case heardSilence(ConnectionID, StormUtterance)
    case ceilingReached(ConnectionID)
    case timer(SessionTimer)
    case toolEnded(callID: String, StormToolEnd)
    case playback(Int)
    case flushed(FlushID, [HeardPosition])
    case hookEnded(SessionHook, errorMessage: String?)
    case pictureEnded(OperationID, PictureRefusal?)
    case speechNoticed(StormUtterance)
    /// The driver's detector has heard so much of an utterance.
    case measured(StormUtterance, milliseconds: Int)
    case userBegins(StormTurn)
    case userEnds(StormUtterance)
    case nextTurn
    case calmEnds
    case strike
    case deviceReturned
    case gateOpened
    case speakerRuns
    case wireRecovers
    case wake
    /// An end of some kind at a moment that nobody expects.
    case oddEnd(StormEnd)
    case stray(ConnectionID, ServerFact)
    case unsendable(ConnectionID)
    case toolProgressed(callID: String, isAloud: Bool)
    case memoryLoaded
    case compactionEnded(CompactionID)
}

/// How a session, or its connection, ends at an odd moment.
enum StormEnd: CaseIterable, Sendable {
    case drop
    case finalClose
    case sleep
    case stop
}

/// How a tool body ends.
enum StormToolEnd: Sendable {
    case returned
    case threw
}

/// What will happen, earliest first; of equal moments what was planned first.
struct StormQueue: Sendable {
    private struct Entry: Sendable {
        var due: MonotonicTime
        var order: Int
        var event: StormEvent

        func isBefore(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }
    }

    private var heap: [Entry] = []
    private var order = 0

    var count: Int { heap.count }
    var nextDue: MonotonicTime? { heap.first?.due }

    mutating func add(_ event: StormEvent, at due: MonotonicTime) {
        order += 1
        heap.append(Entry(due: due, order: order, event: event))
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func take() -> (due: MonotonicTime, event: StormEvent)? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != index else { break }
            heap.swapAt(index, least)
            index = least
        }
        return (first.due, first.event)
    }
}
