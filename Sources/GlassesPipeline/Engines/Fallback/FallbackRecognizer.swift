import GlassesAudio
public import GlassesDomain
import Synchronization

/// A recogniser behind which the best engine that works does the work: an utterance on which one breaks down is recognised by
/// the next from its beginning, and nobody's session ends.
///
/// An engine breaks down when it fails, or does not answer in time, or understands nothing of several utterances in a row of which
/// the next one understands the last.
public final class FallbackRecognizer: SpeechToTextEngine {
    typealias Roster = EngineRoster<any SpeechToTextEngine>

    /// Beyond the length of the utterance itself, while there is another engine: a fast one needs a tenth of a second.
    private static let patience = Duration.seconds(3)
    /// Where there is none: below the 30 s of the port, so that it can be loaded anew.
    private static let lastPatience = Duration.seconds(25)
    /// The first utterance without words may be a noise, and so may the second.
    private static let suspiciousSilences = 3

    /// The rate of the first engine; one of another rate gets its audio converted.
    public let sampleRate: Int
    let roster: Roster
    let clock: ClockPort
    let executor: (any TaskExecutor)?
    private let state: Mutex<State>

    private struct State {
        var choice: Roster.Choice
        var silences = 0
    }

    /// The best engine of `roster` that works, and the others behind it; nil when none works.
    public static func open(
        _ roster: EngineRoster<any SpeechToTextEngine>, clock: ClockPort, executor: (any TaskExecutor)? = nil
    ) async -> FallbackRecognizer? {
        guard let choice = await roster.choose() else { return nil }
        return FallbackRecognizer(choice, roster: roster, clock: clock, executor: executor)
    }

    private init(_ choice: Roster.Choice, roster: Roster, clock: ClockPort, executor: (any TaskExecutor)?) {
        sampleRate = choice.engine.sampleRate
        state = Mutex(State(choice: choice))
        self.roster = roster
        self.clock = clock
        self.executor = executor
    }

    /// The id of the engine that serves now.
    public var id: String { choice.engine.id }
    /// The languages of the engine that serves now.
    public var languages: [String] { choice.engine.languages }

    /// Begins an utterance at the engine that serves now; its ending counts only once every other one broke down too.
    public func start(onPartial: @escaping @Sendable (RecognitionResult) -> Void) -> any SpeechToTextUtterance {
        takeBetterOne()
        return FallbackUtterance(recognizer: self, choice: choice, onPartial: onPartial)
    }

    /// Ends every engine that was loaded.
    public func shutdown() async { await roster.shutdown() }

    var choice: Roster.Choice { state.withLock { $0.choice } }

    /// How long an utterance of `samples` may take its engine.
    func limit(samples: Int) async -> Duration {
        guard await roster.hasAlternative else { return Self.lastPatience }
        return Self.patience + .milliseconds(samples * 1_000 / sampleRate)
    }

    /// `choice` broke down; the engine to go on with.
    func replace(_ choice: Roster.Choice, because error: SpeechEngineError) async -> Roster.Choice? {
        guard let next = await roster.replace(choice, because: error) else { return nil }
        state.withLock { $0 = State(choice: next) }
        return next
    }

    /// Whether an engine has understood nothing for so long that another one should be asked.
    func isSuspicious(words: String) async -> Bool {
        let silences = state.withLock { state in
            state.silences = words.contains { $0.isLetter || $0.isNumber } ? 0 : state.silences + 1
            return state.silences
        }
        guard silences >= Self.suspiciousSilences, await roster.hasAlternative else { return false }
        state.withLock { $0.silences = 0 }
        return true
    }

    /// For the utterances after this one: loading takes seconds, and nobody waits for it.
    private func takeBetterOne() {
        Task(executorPreference: executor) { [self] in
            guard await roster.isBetterOneRested, let better = await roster.choose() else { return }
            state.withLock { $0 = State(choice: better) }
        }
    }
}

/// One utterance, with its audio for an engine that has to begin anew.
final class FallbackUtterance: SpeechToTextUtterance {
    private typealias Outcome = Result<RecognitionResult, SpeechEngineError>

    /// The audio that is kept: the longest utterance of a session, 30 s, and the piece in which it ends. A longer one cannot be
    /// recognised again.
    private static let keptSeconds = 31

    private let recognizer: FallbackRecognizer
    private let onPartial: @Sendable (RecognitionResult) -> Void
    private let state: Mutex<State>

    private struct State {
        var choice: FallbackRecognizer.Roster.Choice
        var utterance: any SpeechToTextUtterance
        var samples: [Int16] = []
        var isKept = true
        var isCancelled = false
        /// The names of the engines that broke down on it.
        var brokeDown: Set<String> = []
    }

    init(
        recognizer: FallbackRecognizer, choice: FallbackRecognizer.Roster.Choice,
        onPartial: @escaping @Sendable (RecognitionResult) -> Void
    ) {
        self.recognizer = recognizer
        self.onPartial = onPartial
        state = Mutex(State(choice: choice, utterance: choice.engine.start(onPartial: onPartial)))
    }

    deinit { cancel() }

    func push(_ samples: [Int16]) -> Bool {
        let (takesIt, utterance): (Bool, any SpeechToTextUtterance) = state.withLock { state in
            keep(samples, &state)
            return (isLive(state.choice), state.utterance)
        }
        return takesIt ? utterance.push(samples) : true
    }

    func finish() async throws(SpeechEngineError) -> RecognitionResult {
        pushAllUnlessLive()
        while true {
            let (choice, utterance, samples) = state.withLock { ($0.choice, $0.utterance, $0.samples) }
            let ending = await outcome(of: utterance, limit: await recognizer.limit(samples: samples.count))
            switch ending {
            case .success(let result):
                guard await recognizer.isSuspicious(words: result.text) else { return result }
                return await secondOpinion(on: samples, after: choice) ?? result
            case .failure(let error):
                guard isWorthAnother(error), let next = await recognizer.replace(choice, because: error),
                    beginAnew(with: next)
                else { throw error }
            }
        }
    }

    func cancel() {
        let utterance = state.withLock { state in
            state.isCancelled = true
            return state.utterance
        }
        utterance.cancel()
    }

    private func isLive(_ choice: FallbackRecognizer.Roster.Choice) -> Bool {
        choice.engine.sampleRate == recognizer.sampleRate
    }

    private func keep(_ samples: [Int16], _ state: inout State) {
        guard state.isKept else { return }
        state.samples.append(contentsOf: samples)
        guard state.samples.count > Self.keptSeconds * recognizer.sampleRate else { return }
        state.isKept = false
        state.samples = []
    }

    /// An engine with too many utterances is not broken, and one that was called off has nothing to answer.
    private func isWorthAnother(_ error: SpeechEngineError) -> Bool {
        let (isKept, isCancelled) = state.withLock { ($0.isKept, $0.isCancelled) }
        return isKept && !isCancelled && !Task.isCancelled && error.code != "engine_busy"
    }

    /// Waits for the engine at most `limit`, whatever it does.
    private func outcome(of utterance: any SpeechToTextUtterance, limit: Duration) async -> Outcome {
        let (executor, clock) = (recognizer.executor, recognizer.clock)
        let late = SpeechEngineError(
            code: "timeout", message: "The recogniser did not answer in time. Another one is used.")
        return await withTaskCancellationHandler {
            await OutcomeRace<Outcome>().run(
                { decide in Self.finish(utterance, on: executor, decide) }, limit: limit, clock: clock,
                executor: executor,
                late: .failure(late), abandon: { utterance.cancel() })
        } onCancel: {
            utterance.cancel()
        }
    }

    private static func finish(
        _ utterance: any SpeechToTextUtterance, on executor: (any TaskExecutor)?,
        _ decide: @escaping @Sendable (Outcome) -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            let outcome: Outcome
            do throws(SpeechEngineError) { outcome = .success(try await utterance.finish()) } catch {
                outcome = .failure(error)
            }
            decide(outcome)
        }
    }

    /// Begins the utterance at another engine; false when it was called off meanwhile, or broke that one before.
    private func beginAnew(with choice: FallbackRecognizer.Roster.Choice) -> Bool {
        let isBegun = state.withLock { state in
            state.brokeDown.insert(state.choice.name)
            guard !state.isCancelled, !state.brokeDown.contains(choice.name) else { return false }
            state.choice = choice
            state.utterance = choice.engine.start(onPartial: onPartial)
            return true
        }
        guard isBegun else { return false }
        let (utterance, samples) = state.withLock { ($0.utterance, $0.samples) }
        _ = utterance.push(converted(samples, for: choice))
        return true
    }

    /// An engine of another rate gets the utterance in one piece.
    private func pushAllUnlessLive() {
        let (choice, utterance, samples) = state.withLock { ($0.choice, $0.utterance, $0.samples) }
        if !isLive(choice) { _ = utterance.push(converted(samples, for: choice)) }
    }

    private func converted(_ samples: [Int16], for choice: FallbackRecognizer.Roster.Choice) -> [Int16] {
        guard !isLive(choice) else { return samples }
        do {
            let resampler = try Resampler(inputRate: recognizer.sampleRate, outputRate: choice.engine.sampleRate)
            return resampler.process(samples) + resampler.flush()
        } catch {
            // The engine then answers for audio that it did not get.
            return []
        }
    }

    /// What the next engine understands where `choice` understood nothing again; nil when that is nothing, too.
    private func secondOpinion(
        on samples: [Int16], after choice: FallbackRecognizer.Roster.Choice
    ) async -> RecognitionResult? {
        guard let other = await recognizer.roster.alternative(to: choice) else { return nil }
        let utterance = other.engine.start(onPartial: { _ in })
        _ = utterance.push(converted(samples, for: other))
        let ending = await outcome(of: utterance, limit: await recognizer.limit(samples: samples.count))
        // A single word is what a less accurate engine finds in a noise.
        guard case .success(let result) = ending, result.text.split(separator: " ").count > 1 else { return nil }
        let silent = SpeechEngineError(
            code: "engine_failed", message: "The recogniser understood nothing of several utterances in a row.")
        _ = await recognizer.replace(choice, because: silent)
        return result
    }
}
