import GlassesAssistant
import GlassesDomain

/// A session machine on a manual clock, with timers that fire when the clock is moved.
struct SessionHarness {
    var machine: SessionMachine
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// Every action so far.
    var log: [SessionAction] = []
    private var timers: [SessionTimer: MonotonicTime] = [:]
    private var operations = 0

    init(_ configure: (inout SessionConfiguration) -> Void = { _ in }) {
        var configuration = SessionConfiguration()
        configuration.randomSeed = 7
        configure(&configuration)
        machine = SessionMachine(configuration: configuration)
    }

    /// Applies a fact at the current moment.
    @discardableResult
    mutating func feed(_ input: SessionInput) -> [SessionAction] {
        let actions = Array(machine.apply(input, at: now))
        for case .timer(let action) in actions {
            switch action {
            case .schedule(let timer, let moment): timers[timer] = moment
            case .cancel(let timer): timers[timer] = nil
            }
        }
        log += actions
        return actions
    }

    /// Moves the clock and fires the timers that come due on the way, each at its moment.
    @discardableResult
    mutating func advance(_ duration: Duration) -> [SessionAction] {
        let end = now.advanced(by: duration)
        var actions: [SessionAction] = []
        // Of equal moments always the same comes first, whatever the order of a dictionary.
        while let next = timers.filter({ $0.value <= end }).min(by: {
            ($0.value, "\($0.key)") < ($1.value, "\($1.key)")
        }) {
            timers[next.key] = nil
            now = max(now, next.value)
            actions += feed(.timerFired(next.key))
        }
        now = end
        return actions
    }

    /// Asks for an operation under a new id.
    @discardableResult
    mutating func ask(_ operation: SessionOperation) -> (id: OperationID, actions: [SessionAction]) {
        operations += 1
        let id = OperationID(operations)
        return (id, feed(.operationRequested(id, operation)))
    }

    /// The connection opened last.
    var connection: ConnectionID {
        for case .connection(.open(let id)) in log.reversed() { return id }
        return ConnectionID(-1)
    }

    /// A fact of the current connection.
    @discardableResult
    mutating func server(_ fact: ServerFact) -> [SessionAction] { feed(.server(connection, fact)) }

    /// Opens, accepts and (by acknowledging every replayed item) completes the connection that was asked for last.
    @discardableResult
    mutating func connect(interrupts: Bool = true, creates: Bool = true) -> [SessionAction] {
        var actions = feed(.connectionOpened(connection))
        actions += server(
            .sessionUpdated(ServerSessionFacts(interruptsResponse: interrupts, createsResponse: creates)))
        for item in actions.createdItems {
            actions += server(.itemAdded(itemID: item.id, previousItemID: nil, kind: .other))
        }
        return actions
    }

    /// Starts and wakes the session.
    mutating func wakeUp(interrupts: Bool = true, creates: Bool = true) {
        ask(.start)
        ask(.wake)
        connect(interrupts: interrupts, creates: creates)
    }

    /// The provider begins an answer by itself with one message item.
    mutating func beginAnswer(_ responseID: String, item: String? = nil) {
        server(.answerCreated(responseID: responseID, metadata: [:], isOutOfBand: false))
        if let item {
            server(.answerItemAdded(responseID: responseID, itemID: item, kind: .assistantMessage))
            server(.itemAdded(itemID: item, previousItemID: nil, kind: .assistantMessage))
        }
    }

    /// The provider begins the answer that was asked for last.
    mutating func grantRequest(_ responseID: String) {
        guard let request = log.requests.last else { return }
        server(
            .answerCreated(
                responseID: responseID, metadata: request.request.metadata,
                isOutOfBand: request.request.isOutOfBand))
    }

    /// Deltas of audio, 100 ms each.
    @discardableResult
    mutating func audio(_ segment: SegmentID, milliseconds: Int) -> [SessionAction] {
        var actions: [SessionAction] = []
        for _ in 0..<(milliseconds / 100) { actions += server(.answerAudioReceived(segment, frames: 2400)) }
        return actions
    }

    /// A whole spoken answer with its words, generated and not yet heard.
    mutating func speakAnswer(_ responseID: String, item: String, words: String, milliseconds: Int) {
        beginAnswer(responseID, item: item)
        let segment = SegmentID(responseID: responseID, itemID: item, contentIndex: 0)
        server(.answerTranscriptReceived(segment, text: words))
        audio(segment, milliseconds: milliseconds)
        server(.answerAudioDone(segment))
        server(.answerTranscriptDone(segment, text: words))
        server(.answerDone(responseID: responseID, status: .completed))
    }

    /// Plays everything in `duration`.
    @discardableResult
    mutating func playAll(_ segment: SegmentID, during duration: Duration) -> [SessionAction] {
        var actions = feed(.playbackStarted(segment))
        actions += advance(duration)
        return actions + feed(.playbackDrained)
    }

    /// An utterance of the user from its first sound to its words.
    mutating func userSays(_ text: String, item: String, after previous: String? = nil) {
        server(.speechStarted(itemID: item))
        server(.speechStopped(itemID: item))
        server(.utteranceCommitted(itemID: item, previousItemID: previous))
        server(.itemAdded(itemID: item, previousItemID: previous, kind: .userMessage))
        server(.userTranscriptCompleted(itemID: item, text: text))
    }

    mutating func call(_ callID: String, _ name: String, _ arguments: String, in responseID: String) {
        server(
            .functionCallCompleted(
                responseID: responseID, itemID: "item_\(callID)", callID: callID, name: name, arguments: arguments))
    }
}

func segment(_ responseID: String, _ itemID: String) -> SegmentID {
    SegmentID(responseID: responseID, itemID: itemID, contentIndex: 0)
}

extension Array where Element == SessionAction {
    var events: [AssistantEvent] { compactMap { if case .notify(let event) = $0 { event } else { nil } } }
    var states: [AssistantState] { compactMap { if case .enter(let state) = $0 { state } else { nil } } }
    var commands: [SessionCommand] { compactMap { if case .send(let command, _) = $0 { command } else { nil } } }
    var playback: [PlaybackAction] { compactMap { if case .playback(let action) = $0 { action } else { nil } } }
    var tools: [ToolAction] { compactMap { if case .tool(let action) = $0 { action } else { nil } } }
    var microphone: [MicrophoneAction] { compactMap { if case .microphone(let action) = $0 { action } else { nil } } }
    var diagnostics: [SessionDiagnostic] { compactMap { if case .diagnose(let value) = $0 { value } else { nil } } }

    var finished: [OperationID: [OperationOutcome]] {
        reduce(into: [:]) { if case .finish(let id, let outcome) = $1 { $0[id, default: []].append(outcome) } }
    }
    var createdItems: [ConversationItem] {
        commands.compactMap { if case .createItem(_, let item) = $0 { item } else { nil } }
    }
    var requests: [(eventID: String, request: AnswerRequest)] {
        commands.compactMap { if case .requestAnswer(let id, let request) = $0 { (id, request) } else { nil } }
    }
    var cancels: [String] {
        commands.compactMap { if case .cancelAnswer(_, let id) = $0 { id } else { nil } }
    }
    var truncations: [(item: String, milliseconds: Int)] {
        commands.compactMap { if case .truncateItem(_, let item, _, let ms) = $0 { (item, ms) } else { nil } }
    }
    var deletions: [String] {
        commands.compactMap { if case .deleteItem(_, let id) = $0 { id } else { nil } }
    }
    var flushes: [FlushID] { playback.compactMap { if case .flush(let id) = $0 { id } else { nil } } }
    var outputs: [(callID: String, output: String)] {
        createdItems.compactMap {
            if case .functionCallOutput(_, let id, let output) = $0 { (id, output) } else { nil }
        }
    }
    var results: [(callID: String, output: String, isError: Bool)] {
        events.compactMap {
            if case .toolResult(let id, _, let output, let isError, _) = $0 { (id, output, isError) } else { nil }
        }
    }
}
