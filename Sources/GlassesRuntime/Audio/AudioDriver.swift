import Foundation
import GlassesAudio
import GlassesDomain
import Synchronization

/// The audio sub-client: speech of the app beside the assistant's, raw microphone audio, and continuous recognition.
final class AudioDriver: AudioClient {
    /// The longest text that is spoken, in characters: ten minutes.
    private static let textLimit = 10_000
    /// Utterances that may wait for their turn; more than anybody would listen to.
    static let utteranceLimit = 64

    private struct Storage {
        var nextID = 0
        var speaking: [Int: Task<ExtentosResult<Void, AudioError>, Never>] = [:]
        /// The sounds that the loudspeaker has, by the number of their utterance; each finishes when its sound has ended.
        var sounding: [Int: AsyncStream<Void>] = [:]
        var isShutDown = false
    }

    private let storage = Mutex(Storage())
    private let streams = OpenStreams()
    private let utterances = OperationChain()
    private let hub: MicrophoneHub
    private let output: PlaybackOutput
    private let speech: SpeechEngines
    private let clock: ClockPort
    private let events: EventLog

    init(hub: MicrophoneHub, output: PlaybackOutput, speech: SpeechEngines, clock: ClockPort, events: EventLog) {
        self.hub = hub
        self.output = output
        self.speech = speech
        self.clock = clock
        self.events = events
    }

    func speak(_ text: String, config: SpeakConfig) async -> ExtentosResult<Void, AudioError> {
        guard output.isOpen else { return .failure(.notConnected) }
        guard text.count <= Self.textLimit else {
            return .failure(
                .platformError(code: "text_too_long", message: "Speak at most \(Self.textLimit) characters at once."))
        }
        switch begin(text, config) {
        case .failure(let error): return .failure(error)
        case .success(let task):
            return await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    func cancelSpeak() async {
        let (tasks, sounds) = storage.withLock { storage in
            (storage.speaking.values.map { $0 }, storage.sounding.keys.map { $0 })
        }
        for task in tasks { task.cancel() }
        for id in sounds { await output.cutSounds(named: Self.soundName(id)) }
    }

    /// Ends all speech and all streams; later calls fail, and later streams are finished from the beginning.
    func shutdown() async {
        storage.withLock { $0.isShutDown = true }
        await cancelSpeak()
        streams.finishAll()
    }

    private func begin(
        _ text: String, _ config: SpeakConfig
    ) -> ExtentosResult<Task<ExtentosResult<Void, AudioError>, Never>, AudioError> {
        storage.withLock { storage in
            guard !storage.isShutDown else { return .failure(.notConnected) }
            guard storage.speaking.count < Self.utteranceLimit else { return .failure(.speechBusy) }
            storage.nextID += 1
            let id = storage.nextID
            let task = utterances.add { [self] in
                let result = await utter(text, config, id: id)
                self.storage.withLock { _ = $0.speaking.removeValue(forKey: id) }
                return result
            }
            storage.speaking[id] = task
            return .success(task)
        }
    }

    private func utter(_ text: String, _ config: SpeakConfig, id: Int) async -> ExtentosResult<Void, AudioError> {
        guard !Task.isCancelled else { return .success(()) }
        guard let engine = await speech.textToSpeech() else { return .failure(.noSpeechEngine) }
        var samples: [Int16] = []
        do {
            let blocks = engine.synthesize(
                text, voice: Self.voice(config.voice), rate: min(max(config.rate, 0.5), 2),
                pitch: min(max(config.pitch, -1), 1))
            for try await block in blocks { samples.append(contentsOf: block.samples) }
        } catch is CancellationError {
            return .success(())
        } catch {
            return .failure(.platformError(code: "speech_failed", message: String(describing: error)))
        }
        await untilSilent()
        guard !Task.isCancelled, !samples.isEmpty else { return .success(()) }
        let sound = PlaybackSound(
            name: Self.soundName(id), samples: Self.gained(samples, by: config.volume), sampleRate: engine.sampleRate)
        await play(sound, of: id, waits: config.waitForCompletion)
        return .success(())
    }

    /// Waits for the sound of the utterance before, which nobody else may wait for; or until the task is cancelled.
    private func untilSilent() async {
        let sounding = storage.withLock { $0.sounding }
        for sound in sounding.values { for await _ in sound {} }
    }

    /// Hands the sound to the loudspeaker; a cancelled utterance is cut again, whenever it was cancelled.
    private func play(_ sound: PlaybackSound, of id: Int, waits: Bool) async {
        let (ending, hasEnded) = AsyncStream<Void>.makeStream()
        storage.withLock { $0.sounding[id] = ending }
        output.play(sound) { [weak self] _ in
            self?.storage.withLock { _ = $0.sounding.removeValue(forKey: id) }
            hasEnded.finish()
        }
        if waits { await untilSilent() }
        if Task.isCancelled { await output.cutSounds(named: sound.name) }
    }

    private static func soundName(_ id: Int) -> String { "speak-\(id)" }

    private static func voice(_ name: String?) -> String? { name == "" || name == "system" ? nil : name }

    private static func gained(_ samples: [Int16], by volume: Float) -> [Int16] {
        let gain = volume.isFinite ? min(max(volume, 0), 1) : 1
        return gain == 1 ? samples : samples.map { Int16(Float($0) * gain) }
    }
}

extension AudioError {
    /// No synthesiser or recogniser is installed.
    static let noSpeechEngine = AudioError.platformError(
        code: "engine_unavailable", message: "No speech engine is installed. Run Scripts/setup, then try again.")

    /// Too many utterances wait already.
    static let speechBusy = AudioError.platformError(
        code: "speech_busy",
        message: "\(AudioDriver.utteranceLimit) texts wait to be spoken. Wait for one, or cancel them.")
}

// MARK: - Streams

extension AudioDriver {
    func audioChunks(config: AudioChunkConfig) -> AsyncStream<AudioChunk> {
        let rate = min(max(config.sampleRate, 8_000), 48_000)
        let length = rate * min(max(config.chunkMillis, 10), 1_000) / 1_000
        let (stream, continuation) = AsyncStream<AudioChunk>.makeStream(bufferingPolicy: config.backpressure.policy)
        let chunker = Mutex(AudioChunker(sampleRate: rate, length: length))
        let (clock, dropped) = (clock, DroppedChunks(events: events))
        listen(
            MicrophoneHub.Listener(
                sampleRate: rate,
                deliver: { samples, time in
                    let chunks = chunker.withLock { $0.append(samples, time: time ?? clock.now()) }
                    for chunk in chunks {
                        if case .dropped = continuation.yield(chunk) { dropped.add() }
                    }
                },
                interrupted: { chunker.withLock { $0.reset() } }),
            for: continuation)
        return stream
    }

    /// Listens until the stream's consumer ends.
    private func listen<Element>(
        _ listener: MicrophoneHub.Listener, for continuation: AsyncStream<Element>.Continuation
    ) {
        let (hub, streams, id) = (hub, streams, streams.makeID())
        let listening = Task(executorPreference: RuntimeThreads.shared) { await hub.listen(listener).id }
        continuation.onTermination = { _ in
            streams.remove(id)
            Task(executorPreference: RuntimeThreads.shared) { await hub.stop(await listening.value) }
        }
        streams.add(id) { continuation.finish() }
    }

    func transcriptions(config: TranscriptionConfig) -> AsyncStream<Transcript> {
        let (stream, continuation) = AsyncStream<Transcript>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let (hub, speech, events, streams, id) = (hub, speech, events, streams, streams.makeID())
        let work = Task(executorPreference: RuntimeThreads.shared) {
            guard let engine = await speech.speechToText() else {
                events.log(.error, "transcription.engine_unavailable")
                return continuation.finish()
            }
            guard engine.understands(language: config.language) else {
                events.log(.error, "transcription.language_unavailable", ["language": .string(config.language)])
                return continuation.finish()
            }
            do {
                let recognition = try ContinuousRecognition(
                    engine: engine, config: config, events: events, continuation: continuation)
                let id = await hub.listen(recognition.listener).id
                await recognition.untilCancelled()
                await hub.stop(id)
                recognition.cancel()
            } catch {
                events.log(.error, "transcription.rate_unsupported", ["rate": .int(Int64(engine.sampleRate))])
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in
            streams.remove(id)
            work.cancel()
        }
        streams.add(id) { continuation.finish() }
        return stream
    }
}

extension Backpressure {
    /// How an asynchronous stream keeps to this. Sizes are clamped to 1…4096.
    fileprivate var policy: AsyncStream<AudioChunk>.Continuation.BufferingPolicy {
        switch self {
        case .dropOldest: .bufferingNewest(16)
        case .dropNewest: .bufferingOldest(16)
        case .suspend(let size): .bufferingOldest(min(max(size, 1), 4096))
        }
    }
}
