import GlassesDomain

/// Lives through a recorded session again and compares what a machine of today decides with what the record says.
public struct TraceReplay: Sendable {
    /// Where a machine of today goes another way.
    public struct Difference: Sendable, Hashable {
        /// The step, counted from 1.
        public let step: Int
        /// The line of the file.
        public let line: Int
        /// When the session's first fact came.
        public let start: MonotonicTime
        /// How the step differs.
        public let kind: Kind

        /// How a step differs.
        public enum Kind: Sendable, Hashable {
            /// The action at a place, counted from 1, as recorded and as decided today; nil where there is none.
            case action(Int, recorded: JSONValue?, found: JSONValue?)
            /// A question about texts that the record does not answer.
            case unanswered(TextVerdict.Question)
            /// The record answers more questions than were asked.
            case surplusVerdict
        }
    }

    private let trace: SessionTrace
    private var machine: SessionMachine
    private var mask: TraceMask
    private var position = 0

    /// A replay from the beginning.
    public init(_ trace: SessionTrace) {
        self.trace = trace
        machine = SessionMachine(configuration: trace.configuration)
        mask = TraceMask(trace.configuration, isOn: !trace.privacy.keepsText)
    }

    /// The first difference; nil when every step is the same.
    public static func firstDifference(in trace: SessionTrace) throws -> Difference? {
        var replay = TraceReplay(trace)
        while let step = try replay.next() {
            if let difference = step.difference { return difference }
        }
        return nil
    }

    /// A step that was lived through again.
    public struct Replayed: Sendable {
        /// The step of the record.
        public let recorded: SessionTrace.Step
        /// The session's state after it.
        public let state: AssistantState
        /// What a machine of today decides, as it would stand in the trace.
        public let actions: [JSONValue]
        /// How that differs; nil when it does not.
        public let difference: Difference?
    }

    /// The trace with what a machine of today decides: the file for a test whose session is meant to behave otherwise now.
    public static func rewritten(_ trace: SessionTrace) throws -> String {
        var replay = TraceReplay(trace)
        var writer = TraceWriter(trace.configuration, privacy: trace.privacy)
        var lines = [try writer.header()]
        for step in trace.steps {
            let (decided, verdicts) = replay.decide(step)
            let today = TraceStep(at: step.at, input: step.input, verdicts: verdicts.given, actions: decided)
            lines.append(try writer.line(for: today, audio: step.audio))
        }
        if let end = trace.end { lines.append(writer.end(end)) }
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func decide(_ step: SessionTrace.Step) -> (SessionActions, TextVerdicts) {
        var verdicts = TextVerdicts(recorded: step.verdicts)
        let actions = machine.apply(step.input, at: step.at, verdicts: &verdicts)
        return (actions, verdicts)
    }

    /// Replays the next step; nil when there is none left.
    public mutating func next() throws -> Replayed? {
        guard position < trace.steps.count else { return nil }
        let step = trace.steps[position]
        position += 1
        let (decided, verdicts) = decide(step)
        let actions = try mask.actions(decided)
        let kind = Self.kind(step.actions, actions, verdicts)
        return Replayed(
            recorded: step, state: machine.state, actions: actions,
            difference: kind.map { Difference(step: position, line: step.line, start: trace.steps[0].at, kind: $0) })
    }

    private static func kind(
        _ recorded: [JSONValue], _ found: [JSONValue], _ verdicts: TextVerdicts
    ) -> Difference.Kind? {
        for index in 0..<max(recorded.count, found.count) {
            let was = recorded.dropFirst(index).first
            let now = found.dropFirst(index).first
            if was?.jsonText != now?.jsonText { return .action(index + 1, recorded: was, found: now) }
        }
        if let question = verdicts.unanswered { return .unanswered(question) }
        return verdicts.hasSurplus ? .surplusVerdict : nil
    }
}

extension TraceReplay.Difference: CustomStringConvertible {
    /// A sentence with both sides.
    public var description: String {
        let place = "step \(step) (line \(line))"
        switch kind {
        case .action(let number, let recorded, let found):
            let story = TraceStory(since: start)
            let was = recorded.map { story.text(of: $0) } ?? "nothing"
            let now = found.map { story.text(of: $0) } ?? "nothing"
            return "\(place), action \(number): recorded \(was); now \(now)"
        case .unanswered(let question):
            return "\(place): the session asks about a text (\(question.rawValue)), which the record does not answer"
        case .surplusVerdict: return "\(place): the record answers more about texts than the session asks"
        }
    }
}
