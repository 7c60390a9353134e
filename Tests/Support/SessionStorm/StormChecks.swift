import GlassesAssistant
import GlassesDomain

/// Looks at every action, and at the session after every step.
struct StormChecks: Sendable {
    struct Request: Sendable {
        var operation: SessionOperation
        var at: MonotonicTime
        /// A start of a session that was started waits behind the wakes before it.
        var isFirst = true
    }

    private(set) var violation: StormViolation?
    private(set) var step = 0
    private(set) var openRequests: [OperationID: Request] = [:]
    private var endedRequests: Set<OperationID> = []
    private var state = AssistantState.idle
    private var isAudible = false
    private var isCapturing = false
    private var isUplinkOpen = false
    private var resulted: Set<String> = []
    /// Answers inside the conversation that the session knows to be under way.
    private(set) var knownAnswers: Set<String> = []
    private var livingAnswers: Set<String> = []
    private(set) var requestInFlight: String?
    private var input = SessionInput.deviceReturned
    private var now = MonotonicTime.zero

    /// Frames of the audio that just arrived.
    var receivedFrames: Int? {
        if case .server(_, .answerAudioReceived(_, let frames)) = input { frames } else { nil }
    }

    mutating func fail(_ invariant: StormInvariant, _ detail: String) {
        guard violation == nil else { return }
        violation = StormViolation(invariant: invariant, detail: detail, step: step)
    }

    mutating func asked(_ id: OperationID, _ operation: SessionOperation, at now: MonotonicTime) {
        openRequests[id] = Request(operation: operation, at: now, isFirst: state == .idle)
    }

    mutating func begin(_ input: SessionInput, isHeard: Bool, at now: MonotonicTime) {
        self.input = input
        self.now = now
        step += 1
        if isHeard, case .server(let id, let fact) = input { learn(fact, id) }
    }

    /// What the session knows of the provider's answers.
    private mutating func learn(_ fact: ServerFact, _ id: ConnectionID) {
        switch fact {
        case .answerCreated(let id, let metadata, let isOutOfBand):
            if metadata[AnswerRequest.requestKey] == requestInFlight { requestInFlight = nil }
            livingAnswers.insert(id)
            if !isOutOfBand { knownAnswers.insert(id) }
        case .answerDone(let id, _):
            knownAnswers.remove(id)
            livingAnswers.remove(id)
        case .errorReported(_, _, let eventID): if eventID == requestInFlight { requestInFlight = nil }
        default: break
        }
    }

    mutating func see(_ action: SessionAction, in world: StormWorld) {
        switch action {
        case .enter(let next): enter(next)
        case .finish(let id, _): finish(id)
        case .notify(let event): see(event)
        case .tool(.run(let callID, _, _)):
            if world.truth.runs[callID] != nil { fail(.oneEndingPerCall, "\(callID) runs twice") }
        case .send(let command, let id): see(command, on: id, in: world)
        case .microphone(let action): see(action)
        case .publishHistory(let turns): see(turns, in: world)
        case .connection(.open): openConnection(in: world)
        case .diagnose(.answerStalled(let id)):
            knownAnswers.remove(id)
        case .playback, .tool, .connection, .timer, .hook, .picture, .memory, .releaseSlot, .diagnose: break
        }
    }

    // MARK: - States and requests

    private static let successors: [AssistantState: Set<AssistantState>] = [
        .idle: [.dormant, .stopping, .stopped],
        .dormant: [.activating, .stopping],
        .activating: [.active, .dormant, .stopping],
        .active: [.reconnecting, .sleeping, .stopping, .stopped],
        .reconnecting: [.active, .sleeping, .stopping, .stopped],
        .sleeping: [.dormant, .stopping],
        .stopping: [.stopped],
        .stopped: [],
    ]

    private mutating func enter(_ next: AssistantState) {
        if Self.successors[state]?.contains(next) != true { fail(.legalState, "\(state) is followed by \(next)") }
        state = next
        if state != .active {
            requestInFlight = nil
            knownAnswers = []
            if isUplinkOpen { fail(.silentMicrophone, "the uplink is open in \(state)") }
        }
        if state != .active, state != .reconnecting, isCapturing {
            fail(.silentMicrophone, "the microphone is open in \(state)")
        }
    }

    /// How long a call of the app may take: as their documentation says, and a second for the world's own delays.
    private static func limit(_ operation: SessionOperation) -> Duration {
        switch operation {
        case .start, .wake: .seconds(10)
        case .stop: .milliseconds(2_500)
        case .cancelSpeak, .beginTurn, .cancelTurn: .zero
        // Behind wakes that have their time.
        case .sleep: .seconds(40)
        case .say, .greet, .sendText, .includePicture, .sendFrame, .endTurn, .applyChoices: .seconds(61)
        }
    }

    private mutating func finish(_ id: OperationID) {
        guard let request = openRequests.removeValue(forKey: id) else {
            return fail(
                .oneEndingPerRequest,
                endedRequests.contains(id) ? "call \(id.number) ends twice" : "call \(id.number) was never made")
        }
        endedRequests.insert(id)
        checkBound(request)
    }

    private mutating func checkBound(_ request: Request) {
        let time = request.at.duration(to: now)
        let isLaterStart = request.operation == .start && !request.isFirst
        guard time > Self.limit(isLaterStart ? .sleep : request.operation) else { return }
        fail(.oneEndingPerRequest, "\(request.operation.kind) takes \(time)")
    }

    // MARK: - What is told

    private mutating func see(_ event: AssistantEvent) {
        switch event {
        case .assistantAudioStarted:
            if isAudible { fail(.pairedAudioEdges, "the sound begins twice") }
            isAudible = true
        case .assistantAudioFinished:
            if !isAudible { fail(.pairedAudioEdges, "the sound ends twice") }
            isAudible = false
        case .toolResult(let id, _, _, _, _):
            if !resulted.insert(id).inserted { fail(.oneEndingPerCall, "\(id) ends twice") }
        case .toolCalled, .userSpoke, .assistantSpoke, .sessionStarted, .sessionEnded, .wentDormant, .reconnected,
            .error:
            break
        }
    }

    private mutating func see(_ action: MicrophoneAction) {
        switch action {
        case .open: isCapturing = true
        case .close:
            isCapturing = false
            isUplinkOpen = false
        case .startUplink, .moveUplink: isUplinkOpen = true
        case .stopUplink: isUplinkOpen = false
        case .keepUtterance, .commitUtterance, .forgetUtterance, .forgetRecent, .measureSpeech, .stopMeasuring: break
        }
    }

    private mutating func see(_ turns: [Turn], in world: StormWorld) {
        if turns.count > world.plan.configuration.historyCap {
            fail(.boundedMemory, "\(turns.count) turns of at most \(world.plan.configuration.historyCap)")
        }
    }

    // MARK: - What is sent

    private mutating func openConnection(in world: StormWorld) {
        // Awake, the session may give another one the conversation before it moves there.
        let open = world.links.values.count { $0.isOpen && !$0.isClosing }
        if open > (state == .active ? 1 : 0) || state == .active && world.second != nil {
            fail(.oneConnection, "another connection is opened")
        }
    }

    private mutating func see(_ command: SessionCommand, on id: ConnectionID, in world: StormWorld) {
        if !isAddressed(id, by: command, in: world) || world.links[id]?.isOpen != true
            || world.links[id]?.isClosing == true
        {
            fail(.oneConnection, "a command goes to a connection that is not open")
        }
        switch command {
        case .requestAnswer(let eventID, let request):
            if requestInFlight != nil {
                fail(.oneAnswerAtATime, "an answer is asked for before the last request is met")
            }
            if !request.isOutOfBand, !knownAnswers.isEmpty {
                fail(.oneAnswerAtATime, "an answer is asked for while \(knownAnswers.sorted()) are active")
            }
            requestInFlight = eventID
        case .cancelAnswer(_, let responseID):
            if !livingAnswers.contains(responseID) {
                fail(.oneAnswerAtATime, "\(responseID) is cancelled and not active")
            }
        case .truncateItem(_, let itemID, _, let milliseconds):
            let heard = world.ear.heard.first { $0.key.itemID == itemID }?.value ?? 0
            if heard != milliseconds {
                fail(.cutAtTheEar, "\(itemID) is truncated at \(milliseconds) ms, \(heard) ms were heard")
            }
        case .updateSession, .createItem, .insertItem, .deleteItem, .clearInput, .commitInput: break
        }
    }

    /// A connection beside the one in use is given the conversation and nothing else.
    private func isAddressed(_ id: ConnectionID, by command: SessionCommand, in world: StormWorld) -> Bool {
        switch command {
        case .updateSession, .createItem: id == world.current || id == world.second
        case .insertItem, .requestAnswer, .cancelAnswer, .truncateItem, .deleteItem, .clearInput, .commitInput:
            id == world.current
        }
    }

    // MARK: - After every step

    mutating func afterStep(_ world: StormWorld, isProtecting: Bool) {
        if case .server(let id, .speechStarted) = input, id == world.current, world.ear.isPlaying,
            world.microphone.uplink == id, state == .active, !world.ear.isPaused, !isProtecting
        {
            fail(.cutAtTheEar, "the assistant goes on although the user speaks")
        }
        if step % 16 == 0 {
            for request in openRequests.values { checkBound(request) }
            for (name, size, most) in world.machine.footprint where size > most {
                fail(.boundedMemory, "\(name): \(size) of at most \(most)")
            }
        }
    }

    mutating func atTheEnd(of world: StormWorld) {
        if state != .stopped { fail(.nothingLeft, "the session is \(state)") }
        if isAudible { fail(.pairedAudioEdges, "the sound never ends") }
        if isCapturing || isUplinkOpen { fail(.silentMicrophone, "the microphone is still open") }
        if let request = openRequests.values.first {
            fail(.oneEndingPerRequest, "\(request.operation.kind) never ends")
        }
        let open = world.truth.announced.subtracting(resulted)
        if !open.isEmpty { fail(.oneEndingPerCall, "\(open.sorted()) never end") }
        if !world.timers.isEmpty {
            fail(.nothingLeft, "timers are left: \(world.timers.keys.map(\.kind).sorted())")
        }
        if world.links.values.contains(where: { $0.isOpen && !$0.isClosing }) {
            fail(.nothingLeft, "a connection is left open")
        }
        if world.machine.overdueToolBodies > world.stubborn.count {
            fail(.nothingLeft, "\(world.machine.overdueToolBodies) tool bodies are still counted")
        }
    }
}
