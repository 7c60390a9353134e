import GlassesAssistant
import GlassesDomain
import SeededRandom

/// One whole conversation on a manual clock: a user, a device, a network, a provider, tools and an app around a session machine.
///
/// Everything is decided by the seed, so that a failure can be looked at again.
public final class StormWorld {
    /// A state of the session and a kind of input that met it.
    public struct Pair: Sendable, Hashable {
        /// The state.
        public let state: AssistantState
        /// The input's kind.
        public let input: String
    }

    /// When the world stops by itself: ten turns with every fault take a few minutes.
    static let limit = Duration.seconds(1_800)

    let plan: StormPlan
    let bug: StormBug?
    var machine: SessionMachine
    var random: SeededGenerator
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    var queue = StormQueue()
    var timers: [SessionTimer: MonotonicTime] = [:]
    /// Timers that were cancelled in this step and had fired a moment before.
    var voided: [SessionTimer] = []
    var links: [ConnectionID: StormLink] = [:]
    /// The connection that the session opened last.
    var current: ConnectionID?
    /// A connection that is made ready beside the one in use.
    var second: ConnectionID?
    var ear = StormEar()
    var truth = StormTruth()
    var checks = StormChecks()
    var microphone = StormMicrophone()
    var turn = 0
    /// How often the user has looked whether it is time to speak.
    var waited = 0
    var turnsEnd = false
    var isDeviceAway = false
    var isGateClosed = false
    /// Whether something was left out because the provider found it too big.
    var hasLeftOut = false
    /// Extra milliseconds on the wire.
    var slowness = 0
    /// Whether the world only settles and nothing strikes any more.
    var isCalm = false
    var numbers = 0
    var running: Set<String> = []
    var stubborn: Set<String> = []
    /// Answers that the user's voice may not cut.
    var protected: Set<String> = []
    /// The history as the app last saw it.
    public internal(set) var turns: [Turn] = []

    /// Strikes of faults.
    public internal(set) var counts = StormCounts()
    /// What was visited.
    public internal(set) var pairs: Set<Pair> = []
    /// The steps so far, when asked for.
    public internal(set) var trace: [TraceStep]?
    /// The first invariant that did not hold.
    public var violation: StormViolation? { checks.violation }
    /// Inputs so far.
    public var steps: Int { checks.step }

    /// The world of a seed, with a planted bug or without.
    public init(seed: UInt64, bug: StormBug? = nil, isTraced: Bool = false) {
        random = SeededGenerator(seed: seed)
        plan = StormPlan(seed: seed, random: &random)
        self.bug = bug
        var configuration = plan.configuration
        bug?.change(&configuration)
        machine = SessionMachine(configuration: configuration)
        trace = isTraced ? [] : nil
    }

    /// Where everything stands, for whoever looks at a failure.
    public var situation: String {
        let ear = ear.isStill ? "still" : ear.isPlaying ? "playing" : ear.owesReport ? "owing a report" : "silent"
        let provider = current.flatMap { links[$0] }.map {
            "\($0.isOpen ? "open" : "opening"), answering \($0.provider.answers.keys.sorted())"
        }
        return """
            session \(machine.state) at \(now.nanoseconds / 1_000_000) ms, device \(isDeviceAway ? "away" : "here"), \
            loudspeaker \(ear), link \(provider ?? "none"), tools \(running.sorted()), \
            calls \(checks.openRequests.values.map(\.operation.kind)), answers \(checks.knownAnswers.sorted())
            """
    }

    /// Lives through the conversation; the first violation ends it.
    public func run() {
        if plan.happensOddly { happenOddly() }
        if plan.happensOddly, chance(20) { ask(.stop) }
        ask(.start)
        if !plan.configuration.startsActive { ask(.wake) }
        plan(.nextTurn, in: 800)
        planOddEnds()
        if !plan.faults.isEmpty { plan(.strike, in: number(1...3_000)) }
        pass(until: { $0.isCalm })
        settle()
        end()
    }

    /// Lets everything that will happen happen, until something is so or nothing is left.
    private func pass(until isOver: (StormWorld) -> Bool, for limit: Duration = StormWorld.limit) {
        let end = now.advanced(by: limit)
        while checks.violation == nil, !isOver(self), let due = queue.nextDue, due <= end, let next = queue.take() {
            now = max(now, next.due)
            happen(next.event)
        }
        if !isOver(self), now < end, checks.violation == nil, queue.count == 0 { now = end }
    }

    /// The storm is over: an awake session comes to rest, and then its history and its provider's agree.
    private func settle() {
        guard machine.state != .stopped, checks.violation == nil else { return }
        wakeIfAsleep()
        // What is still on its way can begin something anew.
        for _ in 0..<8 {
            pass(until: { $0.isAtRest }, for: .seconds(240))
            pass(until: { _ in false }, for: .seconds(8))
            if isAtRest { break }
        }
        guard checks.violation == nil, machine.state == .active else { return }
        guard isAtRest else {
            checks.fail(.oneEndingPerRequest, "an undisturbed session does not come to rest")
            return
        }
        checkHistory()
    }

    private func wakeIfAsleep() {
        if isDeviceAway { happen(.deviceReturned) }
        if isGateClosed { happen(.gateOpened) }
        if machine.state == .dormant { ask(.wake) }
    }

    var isAtRest: Bool {
        machine.state == .active && !ear.isPlaying && !ear.isPaused && running.isEmpty && checks.openRequests.isEmpty
            && current.flatMap { links[$0] }.map {
                $0.isOpen && $0.provider.answers.isEmpty && $0.provider.hearing == nil
            }
                ?? false
            && checks.knownAnswers.isEmpty && checks.requestInFlight == nil && !microphone.isSpeaking
    }

    /// The app ends the session; nothing may be left of it.
    private func end() {
        guard checks.violation == nil else { return }
        ask(.stop)
        if plan.happensOddly { happenOddly() }
        pass(until: { _ in false }, for: .seconds(75))
        if plan.happensOddly {
            happenOddly()
            pass(until: { _ in false }, for: .seconds(40))
        }
        checks.atTheEnd(of: self)
    }

    // MARK: - Time

    func plan(_ event: StormEvent, in milliseconds: Int) {
        queue.add(event, at: now.advanced(by: .milliseconds(milliseconds)))
    }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func chance(_ one: Int) -> Bool { number(1...one) == 1 }
    func newNumber() -> Int {
        numbers += 1
        return numbers
    }

    /// Whether a kind of fault is in the plan, the storm is on, and it strikes this time; it is counted then.
    func strikes(_ fault: StormFault, oneIn one: Int) -> Bool {
        guard !isCalm, plan.faults.contains(fault), chance(one) else { return false }
        counts.count(fault)
        return true
    }

    /// As ``strikes(_:oneIn:)``, also when the storm is over: for what means nothing to a session.
    func mayStrike(_ fault: StormFault, oneIn one: Int) -> Bool {
        guard plan.faults.contains(fault), chance(one) else { return false }
        counts.count(fault)
        return true
    }

    // MARK: - The session

    func feed(_ input: SessionInput) {
        guard checks.violation == nil else { return }
        pairs.insert(Pair(state: machine.state, input: input.kind))
        let protectedVoice = protectedVoice
        noteCut(by: input)
        var verdicts = TextVerdicts()
        var actions = Array(machine.apply(input, at: now, verdicts: &verdicts))
        bug?.change(&actions, checks.step)
        noteCut(by: actions)
        noteTaken(input, actions)
        trace?.append(
            TraceStep(at: now, input: input, verdicts: verdicts.given, actions: SessionActions(actions)))
        checks.begin(input, isHeard: isHeard(input), at: now)
        checkInterruption(input, actions)
        checkProtection(of: protectedVoice, input, actions)
        for action in actions {
            checks.see(action, in: self)
            follow(action)
        }
        checks.afterStep(self, isProtecting: isProtecting)
        tellVoided()
    }

    /// The user, the app or the device cuts what plays: from here on only what was heard counts.
    private func noteCut(by input: SessionInput) {
        let isAwake = machine.state == .active || machine.state == .reconnecting
        switch input {
        case .server(let id, .speechStarted) where microphone.uplink == id && isAwake && !plan.decidesItself: cutTruth()
        case .operationRequested(_, .cancelSpeak): cutTruth()
        case .deviceLost where isAwake: cutTruth()
        default: break
        }
    }

    /// Whether an event is one of the connection in use: what one says that was left counts for nothing.
    private func isHeard(_ input: SessionInput) -> Bool {
        guard case .server(let id, _) = input else { return false }
        return id == current && links[id]?.isClosing == false
    }

    func cutTruth() {
        advanceEar()
        truth.cut(ear)
    }

    private func noteTaken(_ input: SessionInput, _ actions: [SessionAction]) {
        guard case .server(let id, let fact) = input else { return }
        let isTaken = actions.contains { if case .playback(.playReceivedAudio) = $0 { true } else { false } }
        guard id == current, links[id]?.isOpen == true, links[id]?.isClosing == false else { return }
        truth.note(fact, on: id, isTaken: isTaken)
    }

    func ask(_ operation: SessionOperation) {
        let id = OperationID(newNumber())
        checks.asked(id, operation, at: now)
        feed(.operationRequested(id, operation))
    }
}

/// What the driver's microphone does.
struct StormMicrophone: Sendable {
    var isOpen = false
    var uplink: ConnectionID?
    /// What the user is saying now.
    var speaking: StormUtterance?
    var isSpeaking: Bool { speaking != nil }
    /// What was said last, and when that ended.
    var last: (utterance: StormUtterance, end: MonotonicTime)?
    /// The utterance that the session has measured.
    var measured: StormUtterance?
    /// Utterances whose beginning the session was told of.
    var known: Set<Int> = []
    /// The utterance that the session is being told of.
    var told: StormUtterance?
    /// What is kept from the beginning of an utterance on, since when, and the utterances that are kept as items.
    var kept: [StormUtterance] = []
    var keptSince = MonotonicTime.zero
    var items: [String: StormUtterance] = [:]
}
