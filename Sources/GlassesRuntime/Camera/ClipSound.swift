import GlassesDomain

/// The microphone's part in a recording: from the first block that is heard to ``stop()``.
final class ClipSound: Sendable {
    /// Rates that every sound coder of clips takes; a microphone with another one is resampled.
    static let rates = [8_000, 12_000, 16_000, 24_000, 48_000]
    /// Blocks that may wait for the writer: 10 s of 20 ms, beyond which the newest are lost.
    static let waitingBlocks = 500
    /// How long a recording waits for the microphone before it begins without; what comes later is recorded too.
    static let startLimit = Duration.seconds(1)

    private typealias Block = (samples: [Int16], time: MonotonicTime)

    /// Frames per second.
    let rate: Int
    private let hub: MicrophoneHub
    private let clock: ClockPort
    private let blocks: AsyncStream<(samples: [Int16], time: MonotonicTime)>
    private let blocksIn: AsyncStream<(samples: [Int16], time: MonotonicTime)>.Continuation
    private let listening: Task<Int, Never>
    private let hasStarted: FirstAnswer<Void>

    /// Begins to listen; nil when there is no microphone or the user forbids it.
    init?(hub: MicrophoneHub, clock: ClockPort) {
        guard hub.gate.isOpen, let native = hub.sampleRate else { return nil }
        rate = Self.rates.contains(native) ? native : 48_000
        self.hub = hub
        self.clock = clock
        (blocks, blocksIn) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingBlocks))
        let (rate, blocksIn, hasStarted) = (rate, blocksIn, FirstAnswer<Void>())
        self.hasStarted = hasStarted
        listening = Task(executorPreference: RuntimeThreads.shared) {
            let listener = MicrophoneHub.Listener(
                sampleRate: rate,
                deliver: { samples, time in
                    let length = Duration.nanoseconds(Int64(samples.count) * 1_000_000_000 / Int64(rate))
                    blocksIn.yield((samples, time ?? clock.now().advanced(by: .zero - length)))
                },
                interrupted: {})
            let id = await hub.listen(listener).id
            hasStarted.resolve(())
            return id
        }
    }

    /// Waits until the microphone is open or has refused, at most ``startLimit``.
    func started() async {
        let limit = Task(executorPreference: RuntimeThreads.shared) { [clock, hasStarted] in
            do { try await clock.sleepUntil(clock.now().advanced(by: Self.startLimit)) } catch { return }
            hasStarted.resolve(())
        }
        await hasStarted.value()
        limit.cancel()
    }

    /// Writes what is heard into `file` until ``stop()``, or until the file cannot be written any more.
    func record(into file: ClipFile) async throws(MediaError) {
        for await block in blocks { try await file.addSound(block.samples, at: block.time) }
    }

    /// Ends listening; what was heard by then is still written.
    func stop() async {
        await hub.stop(listening.value)
        blocksIn.finish()
    }
}
