import GlassesAudio
public import GlassesDomain
import Synchronization

/// A synthesiser behind which the best engine that works does the work: a text on which one breaks down before its first sound
/// is spoken by the next. After a first sound the text fails, because said twice it would be wrong; the next text goes to the
/// next engine.
public final class FallbackSynthesizer: TextToSpeechEngine {
    typealias Roster = EngineRoster<any TextToSpeechEngine>

    /// The rate of the first engine, in which every other one's audio comes too.
    public let sampleRate: Int
    let roster: Roster
    private let executor: (any TaskExecutor)?
    private let served: Mutex<Roster.Choice>

    /// The best engine of `roster` that works, and the others behind it; nil when none works.
    public static func open(
        _ roster: EngineRoster<any TextToSpeechEngine>, executor: (any TaskExecutor)? = nil
    ) async -> FallbackSynthesizer? {
        guard let choice = await roster.choose() else { return nil }
        return FallbackSynthesizer(choice, roster: roster, executor: executor)
    }

    private init(_ choice: Roster.Choice, roster: Roster, executor: (any TaskExecutor)?) {
        sampleRate = choice.engine.sampleRate
        served = Mutex(choice)
        self.roster = roster
        self.executor = executor
    }

    /// The id of the engine that serves now.
    public var id: String { choice.engine.id }
    /// The voices of the engine that serves now.
    public var voices: [String] { choice.engine.voices }

    /// Speaks `text` with the engine that serves now, or with the next one.
    public func synthesize(
        _ text: String, voice: String?, rate: Float, pitch: Float
    ) -> AsyncThrowingStream<PCMBlock, any Error> {
        takeBetterOne()
        let reading = FallbackReading(synthesizer: self) {
            $0.synthesize(text, voice: voice, rate: rate, pitch: pitch)
        }
        return AsyncThrowingStream(unfolding: { try await reading.next() })
    }

    /// Ends every engine that was loaded.
    public func shutdown() async { await roster.shutdown() }

    var choice: Roster.Choice { served.withLock { $0 } }

    /// `choice` broke down; the engine to go on with.
    func replace(_ choice: Roster.Choice, because error: SpeechEngineError) async -> Roster.Choice? {
        guard let next = await roster.replace(choice, because: error) else { return nil }
        served.withLock { $0 = next }
        return next
    }

    /// For the texts after this one: loading takes seconds, and nobody waits for it.
    private func takeBetterOne() {
        Task(executorPreference: executor) { [self] in
            guard await roster.isBetterOneRested, let better = await roster.choose() else { return }
            served.withLock { $0 = better }
        }
    }
}

/// One text being spoken, block by block as they are asked for.
private actor FallbackReading {
    private let synthesizer: FallbackSynthesizer
    private let begin: @Sendable (any TextToSpeechEngine) -> AsyncThrowingStream<PCMBlock, any Error>
    private var choice: FallbackSynthesizer.Roster.Choice
    private var blocks: AsyncThrowingStream<PCMBlock, any Error>.Iterator
    private var resampler: Resampler?
    private var hasSounded = false
    /// The names of the engines that broke down on it.
    private var brokeDown: Set<String> = []

    init(
        synthesizer: FallbackSynthesizer,
        begin: @escaping @Sendable (any TextToSpeechEngine) -> AsyncThrowingStream<PCMBlock, any Error>
    ) {
        self.synthesizer = synthesizer
        self.begin = begin
        choice = synthesizer.choice
        blocks = begin(choice.engine).makeAsyncIterator()
    }

    func next() async throws -> PCMBlock? {
        while true {
            do {
                guard let block = try await nextBlock() else { return rest() }
                hasSounded = true
                return try converted(block)
            } catch let error as SpeechEngineError {
                try await goOn(after: error)
            }
        }
    }

    private func nextBlock() async throws -> PCMBlock? {
        var iterator = blocks
        defer { blocks = iterator }
        return try await iterator.next(isolation: self)
    }

    /// The next engine's blocks follow, if nothing was heard yet.
    private func goOn(after error: SpeechEngineError) async throws {
        guard error.code != "cancelled", error.code != "engine_busy", !Task.isCancelled else { throw error }
        brokeDown.insert(choice.name)
        let next = await synthesizer.replace(choice, because: error)
        guard let next, !hasSounded, !brokeDown.contains(next.name) else { throw error }
        choice = next
        blocks = begin(next.engine).makeAsyncIterator()
    }

    private func converted(_ block: PCMBlock) throws -> PCMBlock {
        guard block.sampleRate != synthesizer.sampleRate else { return block }
        let converter =
            try resampler ?? Resampler(inputRate: block.sampleRate, outputRate: synthesizer.sampleRate)
        resampler = converter
        return PCMBlock(samples: converter.process(block.samples), sampleRate: synthesizer.sampleRate)
    }

    private func rest() -> PCMBlock? {
        guard let samples = resampler?.flush(), !samples.isEmpty else { return nil }
        resampler = nil
        return PCMBlock(samples: samples, sampleRate: synthesizer.sampleRate)
    }
}
