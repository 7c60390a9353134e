public import GlassesDomain

/// One engine that may serve, and how it is loaded.
public struct EngineCandidate<Engine: Sendable>: Sendable {
    /// The name in the log and in choices: its plugin's id.
    public let name: String
    /// Loads it; may take seconds, and is called again when an earlier load failed or what it made broke down.
    public let load: @Sendable () async -> Result<Engine, SpeechEngineError>

    /// A candidate.
    public init(name: String, load: @escaping @Sendable () async -> Result<Engine, SpeechEngineError>) {
        self.name = name
        self.load = load
    }
}

/// What becomes of the engines of one kind.
public enum EngineNotice: Sendable, Hashable {
    /// A candidate could not be loaded.
    case unavailable(name: String, SpeechEngineError)
    /// This one serves from now on, the first one.
    case selected(name: String)
    /// This one serves from now on instead of another, which broke down; without a cause, because a better one is back.
    case replaced(name: String, instead: String, because: SpeechEngineError?)
}

/// The engines of one kind, the best first: loads the best that works, puts one that broke down to rest, and takes it again when
/// it has rested. Engines are loaded only when they are to serve.
public actor EngineRoster<Engine: Sendable> {
    /// An engine that serves.
    public struct Choice: Sendable {
        /// The engine.
        public let engine: Engine
        /// Its candidate's name.
        public let name: String
        fileprivate let index: Int
        fileprivate let generation: Int
    }

    private struct Slot {
        let candidate: EngineCandidate<Engine>
        var loading: Task<Result<Engine, SpeechEngineError>, Never>?
        /// Counts what was loaded, so that word of an engine that was replaced since is not held against its successor.
        var generation = 0
        var restsUntil = MonotonicTime.zero
        var failures = 0
    }

    /// How long an engine that broke down rests at first; doubled with each breakdown.
    static var rest: Duration { .seconds(10) }
    /// The longest rest.
    static var longestRest: Duration { .seconds(640) }

    private var slots: [Slot]
    private var serving: Int?
    private let clock: ClockPort
    private let executor: (any TaskExecutor)?
    private let end: @Sendable (Engine) async -> Void
    private let notify: @Sendable (EngineNotice) -> Void

    /// A roster of `candidates`, the best first. `end` ends an engine for good; `notify` is told of what changes, on any thread.
    public init(
        _ candidates: [EngineCandidate<Engine>], clock: ClockPort, executor: (any TaskExecutor)? = nil,
        end: @escaping @Sendable (Engine) async -> Void, notify: @escaping @Sendable (EngineNotice) -> Void = { _ in }
    ) {
        slots = candidates.map { Slot(candidate: $0) }
        self.clock = clock
        self.executor = executor
        self.end = end
        self.notify = notify
    }

    /// Whether another engine could serve in the place of one.
    public var hasAlternative: Bool { slots.count > 1 }

    /// Whether a better engine than the one that serves has rested long enough to be tried again.
    public var isBetterOneRested: Bool {
        guard let serving else { return false }
        return slots[..<serving].contains { $0.restsUntil <= clock.now() }
    }

    /// The best engine that works; nil when none does. One that rests is tried only when nothing else works.
    public func choose() async -> Choice? { await choose(because: nil, avoiding: nil) }

    /// `choice` broke down: it is ended and rests. The next one, or the same one loaded anew when nothing else works; nil when that
    /// does not either.
    public func replace(_ choice: Choice, because error: SpeechEngineError) async -> Choice? {
        if slots[choice.index].generation == choice.generation { putToRest(choice.index) }
        return await choose(because: error, avoiding: choice.index)
    }

    /// Another engine that works, without any judgement on `choice`; nil when there is none.
    func alternative(to choice: Choice) async -> Choice? {
        for index in slots.indices where index != choice.index {
            guard let engine = await load(index) else { continue }
            return Choice(
                engine: engine, name: slots[index].candidate.name, index: index, generation: slots[index].generation)
        }
        return nil
    }

    /// Ends what was loaded. Nothing may be asked for afterwards.
    public func shutdown() async {
        for index in slots.indices {
            guard let loading = slots[index].loading else { continue }
            slots[index].loading = nil
            if case .success(let engine) = await loading.value { await end(engine) }
        }
    }

    private func choose(because error: SpeechEngineError?, avoiding avoided: Int?) async -> Choice? {
        let now = clock.now()
        let rested = slots.indices.filter { slots[$0].restsUntil <= now && $0 != avoided }
        let resting = slots.indices.filter { slots[$0].restsUntil > now && $0 != avoided }
        for index in rested + resting + (avoided.map { [$0] } ?? []) {
            if let engine = await load(index) {
                publish(index, because: error)
                return Choice(
                    engine: engine, name: slots[index].candidate.name, index: index,
                    generation: slots[index].generation)
            }
        }
        return nil
    }

    private func load(_ index: Int) async -> Engine? {
        let candidate = slots[index].candidate
        let isFirst = slots[index].loading == nil
        let loading = slots[index].loading ?? Task(executorPreference: executor) { await candidate.load() }
        slots[index].loading = loading
        switch await loading.value {
        case .success(let engine): return engine
        case .failure(let error):
            // Others may have waited for the same load.
            if isFirst {
                slots[index].loading = nil
                rest(index)
                notify(.unavailable(name: candidate.name, error))
            }
            return nil
        }
    }

    private func putToRest(_ index: Int) {
        let loading = slots[index].loading
        slots[index].loading = nil
        slots[index].generation += 1
        rest(index)
        // Ending an engine that hangs takes seconds, for which nobody waits.
        Task(executorPreference: executor) { [end] in
            if case .success(let engine) = await loading?.value { await end(engine) }
        }
    }

    private func rest(_ index: Int) {
        let rest = min(Self.rest * (1 << min(slots[index].failures, 6)), Self.longestRest)
        slots[index].failures += 1
        slots[index].restsUntil = clock.now().advanced(by: rest)
    }

    private func publish(_ index: Int, because error: SpeechEngineError?) {
        defer { serving = index }
        let name = slots[index].candidate.name
        guard let serving else { return notify(.selected(name: name)) }
        guard serving != index else { return }
        notify(.replaced(name: name, instead: slots[serving].candidate.name, because: error))
    }
}
