import GlassesDomain

/// What happened to tool calls.
public enum ToolLedgerInput: Sendable, Hashable {
    /// The model called a tool; the arguments are as they came.
    case called(responseID: String, callID: String, name: String, arguments: String)
    /// The answer that made calls is complete, so no further call of it comes.
    case answerEnded(responseID: String)
    /// The app silenced the answers that are not over: their calls go on, but nothing is asked for after them.
    case silenced
    /// The user spoke over the answers that are not over: their calls go on and no longer belong to the audible turn.
    case interrupted
    /// The user hears or reads an answer of the conversation.
    case answerHeard(responseID: String)
    /// The user's new turn is there: an utterance that the provider took, or a typed one.
    case userTurned
    /// The user called off what can be called off.
    case calledOff
    /// Nothing need be said about a call: its answer has said it.
    case spokenOf(callID: String)
    /// A body tells how far it is.
    case progressed(callID: String, note: String, isAloud: Bool)
    case returned(callID: String, output: String, isError: Bool)
    case threw(callID: String, message: String)
    case timedOut(callID: String)
    /// The grace after a cancellation is over.
    case overran(callID: String)
    case sessionEnded
}

/// A call's outcome.
public struct ToolOutcome: Sendable, Hashable {
    /// The call.
    public var callID: String
    /// The tool's name as the model gave it.
    public var name: String
    /// The output, capped; for an error a sentence.
    public var output: String
    /// Whether the call failed.
    public var isError: Bool
    /// From the call to its ending.
    public var duration: Duration
}

/// What the ledger decides.
public enum ToolLedgerAction: Sendable, Hashable {
    /// A call came for the first time; arguments that are not JSON are given as a string.
    case announce(callID: String, name: String, arguments: JSONValue)
    case run(callID: String, name: String, arguments: JSONValue)
    case cancel(callID: String)
    /// The call ended; once per announced call.
    case end(ToolOutcome)
    case schedule(SessionTimer, after: Duration)
    case cancelTimer(SessionTimer)
    /// All calls of an answer have ended and its output is complete: ask for the answer that follows.
    case requestFollowUp(callIDs: [String])
    /// The user wants the conversation to end.
    case endConversation(callID: String, responseID: String)
    /// A running call tells how far it is.
    case tell(name: String, note: String, isAloud: Bool)
    case diagnose(SessionDiagnostic)
}

/// Runs each call once for the life of a session and gives each exactly one ending.
///
/// Nothing waits for a body: at its time-out a call is answered and its task cancelled. A body that does not end keeps its
/// place among the eight until it does, and what it returns then is dropped.
public struct ToolLedger: Sendable, Hashable {
    /// Bodies at once: one for each thread of the tool executor.
    public static let places = 8
    /// How long a cancelled body may take to end before it is named.
    public static let grace = Duration.seconds(2)

    private struct Call: Sendable, Hashable {
        var name: String
        var responseID: String
        var start: MonotonicTime
        var notes = 0
    }

    /// The calls of one answer.
    private struct Round: Sendable, Hashable {
        var open: Set<String> = []
        var all: [String] = []
        /// Calls of which the assistant does not begin to speak.
        var silent: Set<String> = []
        var isAnswerOver = false
        var wantsFollowUp = true
        var isAudibleTurn = true
    }

    private let tools: [String: ToolFacts]
    private let places: Int
    private var running: [String: Call] = [:]
    /// Cancelled bodies that have not ended.
    private var overdue: [String: String] = [:]
    private var known = RememberedIDs()
    private var rounds: [String: Round] = [:]
    private var consents = ToolConsents()

    /// A ledger for these tools, of which at most `places` run at once; of two with one name the first counts.
    public init(tools: [ToolFacts], places: Int = ToolLedger.places) {
        self.places = max(1, min(places, Self.places))
        self.tools = Dictionary(tools.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether a call came before.
    public func knows(_ callID: String) -> Bool { known.contains(callID) }
    /// Whether a body runs whose call has not ended.
    public var isRunning: Bool { !running.isEmpty }
    /// Whether the audible turn has calls that have not ended.
    public var holdsAudibleTurn: Bool { rounds.values.contains { $0.isAudibleTurn && !$0.open.isEmpty } }
    /// Whether the user is being asked about a call with exactly these arguments.
    func asksAbout(_ name: String, _ arguments: JSONValue) -> Bool { consents.asksAbout(name, arguments) }
    /// Bodies that were cancelled and still run.
    public var overdueBodies: Int { overdue.count }
    /// Whether an answer that is not over has called tools.
    public func hasCalls(of responseID: String?) -> Bool { responseID.map { rounds[$0] != nil } ?? false }

    /// Applies a fact.
    public mutating func apply(_ input: ToolLedgerInput, at now: MonotonicTime) -> [ToolLedgerAction] {
        var verdicts = TextVerdicts()
        return apply(input, at: now, verdicts: &verdicts)
    }

    /// Applies a fact; what is found out about texts is in `verdicts`, or taken from there.
    mutating func apply(
        _ input: ToolLedgerInput, at now: MonotonicTime, verdicts: inout TextVerdicts
    ) -> [ToolLedgerAction] {
        switch input {
        case .called(let responseID, let callID, let name, let arguments):
            call(callID, of: responseID, name: name, arguments: arguments, at: now, &verdicts)
        case .answerEnded(let responseID): endAnswer(responseID)
        case .silenced: changeRounds { $0.wantsFollowUp = false }
        case .interrupted: changeRounds { $0.isAudibleTurn = false }
        case .answerHeard(let responseID): answerHeard(responseID)
        case .userTurned: userTurned(at: now)
        case .calledOff: callOff(at: now)
        case .spokenOf(let callID):
            changeRounds { if $0.all.contains(callID) { $0.silent.insert(callID) } }
        case .progressed(let callID, let note, let isAloud): progressed(callID, note, isAloud)
        case .returned(let callID, let output, let isError):
            bodyEnded(callID, output: output, isError: isError, at: now)
        case .threw(let callID, let message):
            bodyEnded(callID, output: "Tool body threw: \(message)", isError: true, at: now)
        case .timedOut(let callID): timeOut(callID, at: now)
        case .overran(let callID): nameOverdue(callID)
        case .sessionEnded: cancelAll(at: now)
        }
    }

    private mutating func call(
        _ callID: String, of responseID: String, name: String, arguments text: String, at now: MonotonicTime,
        _ verdicts: inout TextVerdicts
    ) -> [ToolLedgerAction] {
        guard !known.contains(callID) else { return [.diagnose(.repeatedCall(callID: callID))] }
        known.insert(callID)
        rounds[responseID, default: Round()].open.insert(callID)
        rounds[responseID, default: Round()].all.append(callID)
        running[callID] = Call(name: name, responseID: responseID, start: now)
        let parsed = Self.parse(text, &verdicts)
        var actions: [ToolLedgerAction] = [.announce(callID: callID, name: name, arguments: parsed.value)]
        guard verdicts.flag(.toolKnown, tools[name] != nil), let tool = tools[name] else {
            return actions + end(callID, output: unknownTool(name), isError: true, at: now)
        }
        let misfit = parsed.problem ?? ToolArgumentCheck.problem(in: parsed.value, schema: tool.schema)
        if let problem = verdicts.sentence(.argumentsProblem, misfit) {
            let output = "\(name) was not run: \(problem). Correct the arguments and call it again."
            return actions + end(callID, output: output, isError: true, at: now)
        }
        switch tool.role {
        case .body: break
        case .cancelsCalls: return actions + cancelByModel(callID, parsed.value, at: now, &verdicts)
        case .endsConversation:
            return actions + [.endConversation(callID: callID, responseID: responseID)]
                + end(callID, output: Self.farewell, isError: false, at: now)
        }
        // The call itself is already among the running ones.
        guard running.count + overdue.count <= places else {
            let output = "\(name) was not run: busy, \(Self.count(places)) running. Try again later."
            return actions + end(callID, output: output, isError: true, at: now)
        }
        if tool.policy.needsConfirmation, !consents.take(name, parsed.value, at: now, &verdicts) {
            consents.ask(name, parsed.value, in: responseID, at: now, &verdicts)
            let sentence = verdicts.sentence(.consentSentence, Self.confirmation(of: name, parsed.value)) ?? ""
            return actions + end(callID, output: sentence, isError: true, at: now)
        }
        actions.append(.run(callID: callID, name: name, arguments: parsed.value))
        actions.append(.schedule(.toolTimeout(callID: callID), after: tool.timeout))
        return actions
    }

    private static func count(_ places: Int) -> String { places == 1 ? "a tool is" : "\(places) tools are" }

    private static func confirmation(of name: String, _ arguments: JSONValue) -> String {
        "\(name) was not run: the user has to agree first. Ask whether to run \(name) with \(arguments.jsonText)."
            + " Only if they agree, call it again with exactly these arguments."
    }

    /// For the model, whose next words are the last ones.
    private static let farewell = "The conversation has ended. Say goodbye in a few words, and nothing else."

    /// Empty text means no arguments. The parser's reason never quotes the text.
    static func parse(_ text: String, _ verdicts: inout TextVerdicts) -> (value: JSONValue, problem: String?) {
        let parsed = parse(text)
        let value = verdicts.verdict(on: .argumentsValue, parsed.value)
        return (value, verdicts.sentence(.argumentsFault, parsed.problem))
    }

    private static func parse(_ text: String) -> (value: JSONValue, problem: String?) {
        if text.allSatisfy(\.isWhitespace) { return ([:], nil) }
        do {
            return (try JSONValue(jsonText: text), nil)
        } catch {
            return (.string(text), "the arguments are \(error)")
        }
    }

    private func unknownTool(_ name: String) -> String {
        let names = tools.keys.sorted().joined(separator: ", ")
        return "There is no tool \"\(name)\". Available tools: \(names.isEmpty ? "none" : names)."
    }

    private mutating func bodyEnded(
        _ callID: String, output: String, isError: Bool, at now: MonotonicTime
    ) -> [ToolLedgerAction] {
        if let name = overdue.removeValue(forKey: callID) {
            return [
                .cancelTimer(.toolOverrun(callID: callID)), .diagnose(.lateToolResult(callID: callID, name: name)),
            ]
        }
        guard running[callID] != nil else { return [] }
        return [.cancelTimer(.toolTimeout(callID: callID))] + end(callID, output: output, isError: isError, at: now)
    }

    private mutating func timeOut(_ callID: String, at now: MonotonicTime) -> [ToolLedgerAction] {
        guard let call = running[callID] else { return [] }
        let limit = tools[call.name]?.timeout ?? .zero
        let output = "\(call.name) timed out after \(Self.text(limit)) and was cancelled."
        return abandon(callID, call) + end(callID, output: output, isError: true, at: now)
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = duration.seconds
        return seconds == seconds.rounded() ? "\(Int64(seconds)) s" : "\(duration.wholeMilliseconds) ms"
    }

    private mutating func abandon(_ callID: String, _ call: Call) -> [ToolLedgerAction] {
        overdue[callID] = call.name
        return [.cancel(callID: callID), .schedule(.toolOverrun(callID: callID), after: Self.grace)]
    }

    private func nameOverdue(_ callID: String) -> [ToolLedgerAction] {
        guard let name = overdue[callID] else { return [] }
        return [.diagnose(.toolStillRuns(callID: callID, name: name))]
    }

    private mutating func cancelAll(at now: MonotonicTime) -> [ToolLedgerAction] {
        rounds = rounds.mapValues { round in
            var round = round
            round.wantsFollowUp = false
            return round
        }
        var actions: [ToolLedgerAction] = []
        for callID in runningInOrder {
            guard let call = running[callID] else { continue }
            actions.append(.cancelTimer(.toolTimeout(callID: callID)))
            actions += abandon(callID, call)
            actions += end(callID, output: "\(call.name) was cancelled: the session ended.", isError: true, at: now)
        }
        rounds = [:]
        consents = ToolConsents()
        return actions
    }

    private mutating func end(
        _ callID: String, output: String, isError: Bool, at now: MonotonicTime
    ) -> [ToolLedgerAction] {
        guard let call = running.removeValue(forKey: callID) else { return [] }
        let outcome = ToolOutcome(
            callID: callID, name: call.name, output: ToolOutput.capped(output), isError: isError,
            duration: call.start.duration(to: now))
        rounds[call.responseID]?.open.remove(callID)
        return [.end(outcome)] + closeRound(call.responseID)
    }

    private mutating func endAnswer(_ responseID: String) -> [ToolLedgerAction] {
        guard rounds[responseID] != nil else { return [] }
        rounds[responseID]?.isAnswerOver = true
        return closeRound(responseID)
    }

    private mutating func closeRound(_ responseID: String) -> [ToolLedgerAction] {
        guard let round = rounds[responseID], round.isAnswerOver, round.open.isEmpty else { return [] }
        rounds[responseID] = nil
        let isSilent = round.silent.isSuperset(of: round.all)
        return round.wantsFollowUp && !isSilent ? [.requestFollowUp(callIDs: round.all)] : []
    }

    private mutating func changeRounds(_ body: (inout Round) -> Void) -> [ToolLedgerAction] {
        for id in rounds.keys { body(&rounds[id, default: Round()]) }
        return []
    }

    // MARK: - The user goes on

    private mutating func answerHeard(_ responseID: String) -> [ToolLedgerAction] {
        consents.heard(responseID)
        return []
    }

    private mutating func userTurned(at now: MonotonicTime) -> [ToolLedgerAction] {
        consents.userTurned()
        var actions: [ToolLedgerAction] = []
        for callID in runningInOrder {
            guard let call = running[callID], let policy = tools[call.name]?.policy else { continue }
            switch policy.interruption {
            case .continues: break
            case .continuesSilently: rounds[call.responseID]?.silent.insert(callID)
            case .cancels: actions += cancel(callID, call, because: "the user went on", at: now)
            }
        }
        return actions
    }

    private mutating func callOff(at now: MonotonicTime) -> [ToolLedgerAction] {
        consents = ToolConsents()
        return cancelRunning { _ in true }.reduce(into: []) {
            $0 += cancel($1, running[$1], because: "the user called it off", at: now)
        }
    }

    /// The model calls off a tool by its name, or all of them.
    private mutating func cancelByModel(
        _ callID: String, _ arguments: JSONValue, at now: MonotonicTime, _ verdicts: inout TextVerdicts
    ) -> [ToolLedgerAction] {
        let wanted = arguments["name"]?.stringValue
        let found = verdicts.names(.callsNamed, cancelRunning { wanted == nil || $0 == wanted })
        let names = found.compactMap { running[$0]?.name }
        var actions: [ToolLedgerAction] = []
        for id in found { actions += cancel(id, running[id], because: "the user called it off", at: now) }
        let output =
            names.isEmpty ? "No tool is running that can be cancelled." : "Cancelled: \(names.joined(separator: ", "))."
        return actions + end(callID, output: output, isError: names.isEmpty, at: now)
    }

    private func cancelRunning(where isWanted: (String) -> Bool) -> [String] {
        runningInOrder.filter {
            guard let name = running[$0]?.name, isWanted(name) else { return false }
            return tools[name]?.policy.isCancellable == true
        }
    }

    private var runningInOrder: [String] {
        running.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }.map(\.key)
    }

    private mutating func cancel(
        _ callID: String, _ call: Call?, because reason: String, at now: MonotonicTime
    ) -> [ToolLedgerAction] {
        guard let call else { return [] }
        rounds[call.responseID]?.silent.insert(callID)
        return [.cancelTimer(.toolTimeout(callID: callID))] + abandon(callID, call)
            + end(callID, output: "\(call.name) was cancelled: \(reason).", isError: true, at: now)
    }

    private mutating func progressed(_ callID: String, _ note: String, _ isAloud: Bool) -> [ToolLedgerAction] {
        guard let call = running[callID], call.notes < ToolCall.noteLimit, !note.allSatisfy(\.isWhitespace) else {
            return []
        }
        running[callID]?.notes += 1
        return [.tell(name: call.name, note: String(note.prefix(ToolCall.longestNote)), isAloud: isAloud)]
    }
}
