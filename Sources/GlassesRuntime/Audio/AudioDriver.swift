import Foundation
import GlassesAudio
import GlassesDomain
import Synchronization

/// The audio sub-client: speech of the app beside the assistant's, raw microphone audio, and continuous recognition.
final class AudioDriver: AudioClient {
    /// The longest text that is spoken, in characters: ten minutes.
    private static let textLimit = 10_000
    private static let soundName = "speak"

    private struct Storage {
        var epoch = 0
        var speaking: [Int: Task<ExtentosResult<Void, AudioError>, Never>] = [:]
        var nextID = 0
    }

    private let storage = Mutex(Storage())
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
        let task = begin(text, config)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func cancelSpeak() async {
        let speaking = storage.withLock { storage in
            storage.epoch += 1
            defer { storage.speaking = [:] }
            return storage.speaking.values.map { $0 }
        }
        for task in speaking { task.cancel() }
        await output.cutSounds(named: Self.soundName)
    }

    private func begin(_ text: String, _ config: SpeakConfig) -> Task<ExtentosResult<Void, AudioError>, Never> {
        storage.withLock { storage in
            storage.nextID += 1
            let (id, epoch) = (storage.nextID, storage.epoch)
            let task = utterances.add { [self] in
                let result = await utter(text, config, epoch: epoch)
                self.storage.withLock { _ = $0.speaking.removeValue(forKey: id) }
                return result
            }
            storage.speaking[id] = task
            return task
        }
    }

    private func utter(_ text: String, _ config: SpeakConfig, epoch: Int) async -> ExtentosResult<Void, AudioError> {
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
        guard !Task.isCancelled, storage.withLock({ $0.epoch }) == epoch, !samples.isEmpty else { return .success(()) }
        let sound = PlaybackSound(
            name: Self.soundName, samples: Self.gained(samples, by: config.volume), sampleRate: engine.sampleRate)
        guard config.waitForCompletion else {
            output.play(sound) { _ in }
            return .success(())
        }
        let output = output
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in output.play(sound) { _ in continuation.resume() } }
        } onCancel: {
            Task(executorPreference: RuntimeThreads.shared) { await output.cutSounds(named: Self.soundName) }
        }
        return .success(())
    }

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
}

// MARK: - Streams

extension AudioDriver {
    func audioChunks(config: AudioChunkConfig) -> AsyncStream<AudioChunk> {
        let rate = min(max(config.sampleRate, 8_000), 48_000)
        let length = rate * min(max(config.chunkMillis, 10), 1_000) / 1_000
        let (stream, continuation) = AsyncStream<AudioChunk>.makeStream(bufferingPolicy: config.backpressure.policy)
        let chunker = Mutex(AudioChunker(sampleRate: rate, length: length))
        let clock = clock
        listen(
            MicrophoneHub.Listener(
                sampleRate: rate,
                deliver: { samples, time in
                    let chunks = chunker.withLock { $0.append(samples, time: time ?? clock.now()) }
                    for chunk in chunks { continuation.yield(chunk) }
                },
                interrupted: { chunker.withLock { $0.reset() } }),
            for: continuation)
        return stream
    }

    /// Listens until the stream's consumer ends.
    private func listen<Element>(
        _ listener: MicrophoneHub.Listener, for continuation: AsyncStream<Element>.Continuation
    ) {
        let hub = hub
        let listening = Task(executorPreference: RuntimeThreads.shared) { await hub.listen(listener).id }
        continuation.onTermination = { _ in
            Task(executorPreference: RuntimeThreads.shared) { await hub.stop(await listening.value) }
        }
    }

    func transcriptions(config: TranscriptionConfig) -> AsyncStream<Transcript> {
        let (stream, continuation) = AsyncStream<Transcript>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let (hub, speech, events) = (hub, speech, events)
        let work = Task(executorPreference: RuntimeThreads.shared) {
            guard let engine = await speech.speechToText() else {
                events.log(.error, "transcription.engine_unavailable")
                return continuation.finish()
            }
            do {
                let recognition = try ContinuousRecognition(engine: engine, config: config, continuation: continuation)
                let id = await hub.listen(recognition.listener).id
                await recognition.untilCancelled()
                await hub.stop(id)
                recognition.cancel()
            } catch {
                events.log(.error, "transcription.rate_unsupported", ["rate": .int(Int64(engine.sampleRate))])
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in work.cancel() }
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
