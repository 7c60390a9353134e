import GlassesAssistant
import GlassesDomain

/// A session that is told facts by hand and writes its trace.
struct RecordedSession {
    private var machine: SessionMachine
    private var writer: TraceWriter
    private var lines: [String]
    private var operations = 0
    private var now = MonotonicTime(nanoseconds: 5_000_000_000)
    private(set) var actions: [SessionAction] = []
    private let connection = ConnectionID(1)

    init(_ configuration: SessionConfiguration, keepsText: Bool = false) throws {
        var privacy = TracePrivacy()
        privacy.keepsText = keepsText
        machine = SessionMachine(configuration: configuration)
        writer = TraceWriter(configuration, privacy: privacy)
        lines = [try writer.header()]
    }

    var state: AssistantState { machine.state }

    mutating func tell(_ input: SessionInput, after milliseconds: Int64 = 10) throws {
        now = now.advanced(by: .milliseconds(milliseconds))
        var verdicts = TextVerdicts()
        let decided = machine.apply(input, at: now, verdicts: &verdicts)
        actions += decided
        lines.append(try writer.line(for: TraceStep(at: now, input: input, verdicts: verdicts.given, actions: decided)))
    }

    mutating func ask(_ operation: SessionOperation) throws {
        operations += 1
        try tell(.operationRequested(OperationID(operations), operation))
    }

    mutating func report(_ fact: ServerFact) throws { try tell(.server(connection, fact)) }

    /// Starts, wakes and connects.
    mutating func wake() throws {
        try ask(.start)
        try ask(.wake)
        try tell(.connectionOpened(connection))
        try report(.sessionCreated(ServerSessionFacts(model: "local", interruptsResponse: true, createsResponse: true)))
        try report(.sessionUpdated(ServerSessionFacts()))
        for case .send(.createItem(_, let item), _) in actions {
            try report(.itemAdded(itemID: item.id, previousItemID: nil, kind: .other))
        }
    }

    /// The user says something, and the answer calls a tool.
    mutating func call(_ tool: String, _ arguments: String, id: String, after words: String) throws {
        try report(.speechStarted(itemID: "u\(id)", startMs: 10))
        try report(.speechStopped(itemID: "u\(id)", endMs: 900))
        try report(.utteranceCommitted(itemID: "u\(id)", previousItemID: nil))
        try report(.answerCreated(responseID: "r\(id)", metadata: ["note": words], isOutOfBand: false))
        try report(.userTranscriptCompleted(itemID: "u\(id)", text: words))
        try report(
            .functionCallCompleted(
                responseID: "r\(id)", itemID: "f\(id)", callID: "call\(id)", name: tool, arguments: arguments))
        try report(.answerDone(responseID: "r\(id)", status: .completed))
    }

    /// An answer is heard to its end.
    mutating func answer(_ id: String, _ words: [String]) throws {
        let segment = SegmentID(responseID: "r\(id)", itemID: "m\(id)", contentIndex: 0)
        try report(.answerCreated(responseID: "r\(id)", metadata: [:], isOutOfBand: false))
        try report(.answerItemAdded(responseID: "r\(id)", itemID: "m\(id)", kind: .assistantMessage))
        for piece in words {
            try report(.answerTranscriptReceived(segment, text: piece))
            try report(.answerAudioReceived(segment, frames: 12_000))
        }
        try tell(.playbackStarted(segment))
        try tell(.playbackProgressed(HeardPosition(segment: segment, milliseconds: 700)))
        try report(.answerTranscriptDone(segment, text: words.joined()))
        try report(.answerAudioDone(segment))
        try report(.answerDone(responseID: "r\(id)", status: .completed))
        try tell(.playbackDrained)
    }

    /// The file so far.
    func file(end: SessionTrace.End? = .complete) -> [UInt8] {
        let all = lines + (end.map { [writer.end($0)] } ?? [])
        return Array((all.joined(separator: "\n") + "\n").utf8)
    }
}
