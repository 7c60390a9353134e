public import GlassesDomain
import Synchronization

/// A voice activity detector behind which the best engine that works does the work. A stream on which one breaks down fails, since
/// its user has energy to fall back on at once; the next stream goes to the next engine, or to the same one loaded anew.
public final class FallbackVoiceActivity: VoiceActivityEngine {
    typealias Roster = EngineRoster<any VoiceActivityEngine>

    /// The rate of the first engine; one of another rate is not used.
    public let sampleRate: Int
    private let roster: Roster
    private let executor: (any TaskExecutor)?
    private let served: Mutex<Roster.Choice>

    /// The best engine of `roster` that works, and the others behind it; nil when none works.
    public static func open(
        _ roster: EngineRoster<any VoiceActivityEngine>, executor: (any TaskExecutor)? = nil
    ) async -> FallbackVoiceActivity? {
        guard let choice = await roster.choose() else { return nil }
        return FallbackVoiceActivity(choice, roster: roster, executor: executor)
    }

    private init(_ choice: Roster.Choice, roster: Roster, executor: (any TaskExecutor)?) {
        sampleRate = choice.engine.sampleRate
        served = Mutex(choice)
        self.roster = roster
        self.executor = executor
    }

    /// The id of the engine that serves now.
    public var id: String { served.withLock { $0.engine.id } }

    /// Begins a stream at the engine that serves now.
    public func start(
        onActivity: @escaping @Sendable (VoiceActivity) -> Void,
        onFailure: @escaping @Sendable (SpeechEngineError) -> Void
    ) -> any VoiceActivityStream {
        let choice = served.withLock { $0 }
        return choice.engine.start(onActivity: onActivity) { [weak self] error in
            self?.failed(choice, error)
            onFailure(error)
        }
    }

    /// Ends every engine that was loaded.
    public func shutdown() async { await roster.shutdown() }

    /// A stream that the engine has no room for, or that its user gave too much at once, says nothing of the engine.
    private func failed(_ choice: Roster.Choice, _ error: SpeechEngineError) {
        guard error.code != "engine_busy", error.code != "cancelled" else { return }
        Task(executorPreference: executor) { [self] in
            guard let next = await roster.replace(choice, because: error), next.engine.sampleRate == sampleRate else {
                return
            }
            served.withLock { $0 = next }
        }
    }
}
