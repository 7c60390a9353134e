package import GlassesPluginKit

/// Recognises one utterance after the other; only the engine's thread calls it.
package protocol UtteranceRecognizer: AnyObject {
    /// Takes the next 100 ms, of a new utterance when none is open.
    func add(_ slice: [Int16]) throws(PluginFailure)
    /// The words so far; empty while there are none, or only noise.
    func partialText() throws(PluginFailure) -> String
    /// Whether the speaker has just fallen silent: the next partial text may be the final one, and is better made now than later.
    var isAtPause: Bool { get }
    /// Ends the utterance; nil when it stopped being wanted meanwhile.
    func finish(isWanted: () -> Bool) throws(PluginFailure) -> (text: String, confidence: Double)?
    /// Forgets the utterance, if one is open.
    func abandon() throws(PluginFailure)
}

/// What a recogniser's thread does: takes utterances off the queue in order, tells partial texts, and ends each once.
package struct UtteranceWorker {
    private let queue: UtteranceQueue
    private let recognizer: any UtteranceRecognizer
    private let interval: Duration
    private var current: RecognitionRequest?
    private var partial: PartialTexts

    /// A worker that makes a partial text at most once in `interval`.
    package init(queue: UtteranceQueue, recognizer: any UtteranceRecognizer, interval: Duration) {
        self.queue = queue
        self.recognizer = recognizer
        self.interval = interval
        partial = PartialTexts(interval: interval)
    }

    /// Works until the queue is closed; this is the thread's body.
    package mutating func run() {
        while true {
            switch queue.next(until: partial.due) {
            case .closed: return
            case .none: tellDue()
            case .slice(let slice, let request):
                attempt(request) { (worker) throws(PluginFailure) in
                    try worker.recognizer.add(slice)
                    try worker.tellPartial(to: request)
                }
            case .complete(let request):
                attempt(request) { (worker) throws(PluginFailure) in try worker.complete(request) }
            }
        }
    }

    private mutating func tellDue() {
        guard let current, queue.isOpen(current.id) else { return partial.end() }
        attempt(current) { (worker) throws(PluginFailure) in try worker.tellPartial(to: current) }
    }

    private mutating func tellPartial(to request: RecognitionRequest) throws(PluginFailure) {
        let recognizer = recognizer
        try partial.tell(try recognizer.partialText(), to: request, isUrgent: recognizer.isAtPause)
    }

    private mutating func complete(_ request: RecognitionRequest) throws(PluginFailure) {
        partial.end()
        let queue = queue
        let result = try recognizer.finish(isWanted: { queue.isOpen(request.id) })
        guard let result, queue.remove(request.id) != nil else { return }
        request.finish(result.text, confidence: result.confidence)
    }

    /// Does a piece of work on an utterance, which a failure ends.
    private mutating func attempt(
        _ request: RecognitionRequest, _ work: (inout UtteranceWorker) throws(PluginFailure) -> Void
    ) {
        do throws(PluginFailure) {
            if current?.id != request.id {
                try recognizer.abandon()
                current = request
                partial = PartialTexts(interval: interval)
            }
            try work(&self)
        } catch {
            partial.end()
            queue.remove(request.id)?.fail(error)
        }
    }
}
