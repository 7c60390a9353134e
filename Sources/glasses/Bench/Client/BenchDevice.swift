import GlassesCore
import Synchronization

/// A device that takes no time of its own: what its microphone hears comes from a file, and its loudspeaker plays into a record.
final class BenchDevice: GlassesTransport {
    /// Frames per second of both, the provider's rate, so that nothing is resampled.
    static let sampleRate = 24_000
    /// The name by which it goes in events.
    static let pluginID = "org.extentos.bench-device"

    let facts = TransportFacts(
        id: BenchDevice.pluginID, name: "Bench device",
        device: DeviceInfo(
            id: "bench", modelName: "Bench device", firmwareVersion: "1", deviceType: .unknown, vendor: "bench"),
        capabilities: DeviceCapabilitySet(camera: false, microphone: true, speaker: true, display: false),
        microphoneRate: BenchDevice.sampleRate, speakerRate: BenchDevice.sampleRate)
    let events: AsyncStream<TransportEvent>
    let benchMicrophone: BenchMicrophone
    let benchSpeaker: BenchSpeaker
    private let continuation: AsyncStream<TransportEvent>.Continuation

    init(recording: BenchRecording) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        benchMicrophone = BenchMicrophone(recording: recording)
        benchSpeaker = BenchSpeaker(recording: recording)
    }

    var microphone: (any MicrophonePort)? { benchMicrophone }
    var speaker: (any SpeakerPort)? { benchSpeaker }

    func connect(deviceId: DeviceId?) async -> ExtentosResult<DeviceInfo, ConnectError> { .success(facts.device) }
    func disconnect() async {}
    func handleUrl(_ url: String) async -> Bool { false }
    func shutdown() async { continuation.finish() }
}

/// The microphone of a bench device.
final class BenchMicrophone: MicrophonePort {
    private enum Storage {
        case closed
        case waiting(CheckedContinuation<Void, Never>)
        case open(@Sendable (PCMBlock) -> Void)
    }

    let sampleRate = BenchDevice.sampleRate
    private let recording: BenchRecording
    private let storage = Mutex(Storage.closed)

    init(recording: BenchRecording) { self.recording = recording }

    func open(_ sink: @escaping @Sendable (PCMBlock) -> Void) async -> ExtentosResult<Void, AudioError> {
        let waiter = storage.withLock { storage -> CheckedContinuation<Void, Never>? in
            defer { storage = .open(sink) }
            if case .waiting(let continuation) = storage { return continuation } else { return nil }
        }
        waiter?.resume()
        return .success(())
    }

    func close() async { storage.withLock { $0 = .closed } }

    /// Returns once the runtime has opened the microphone; called once, before the first frame.
    func opened() async {
        await withCheckedContinuation { continuation in
            let isOpen = storage.withLock { storage in
                if case .open = storage { return true }
                storage = .waiting(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    /// The microphone hears a frame. Like a real one it hears nothing while it is closed.
    func hear(_ samples: [Int16], frame: Int) {
        // Under the lock, so that nothing is heard once close() has returned.
        storage.withLock { storage in
            guard case .open(let sink) = storage else { return }
            recording.heard(frame: frame)
            sink(PCMBlock(samples: samples, sampleRate: sampleRate, time: Stopwatch.now))
        }
    }
}

/// The loudspeaker of a bench device: takes 20 ms of what waits at each tick.
final class BenchSpeaker: SpeakerPort {
    private struct Storage {
        var onPosition: (@Sendable (PlaybackPosition) -> Void)?
        var samples: [Int16] = []
        /// The first of ``samples`` that waits, and its index in the written stream.
        var start = 0
        var position: Int64 = 0
        var isAdvancing = false

        var waiting: Int { samples.count - start }
    }

    /// Frames that may wait: a second, more than the runtime writes ahead.
    private static let capacity = BenchDevice.sampleRate

    let sampleRate = BenchDevice.sampleRate
    private let recording: BenchRecording
    private let storage = Mutex(Storage())

    init(recording: BenchRecording) { self.recording = recording }

    func open(
        _ onPosition: @escaping @Sendable (PlaybackPosition) -> Void
    ) async -> ExtentosResult<Void, AudioError> {
        storage.withLock { storage in
            storage = Storage(onPosition: onPosition)
            storage.samples.reserveCapacity(2 * Self.capacity)
        }
        return .success(())
    }

    func write(_ samples: ArraySlice<Int16>) -> Int {
        storage.withLock { storage in
            let taken = min(samples.count, Self.capacity - storage.waiting)
            if storage.samples.count + taken > 2 * Self.capacity {
                storage.samples.removeFirst(storage.start)
                storage.start = 0
            }
            storage.samples.append(contentsOf: samples.prefix(taken))
            return taken
        }
    }

    var writableFrames: Int { storage.withLock { Self.capacity - $0.waiting } }

    var writtenFrames: Int64 { storage.withLock { $0.position + Int64($0.waiting) } }

    func flush() async -> PlaybackPosition {
        storage.withLock { storage in
            let now = Stopwatch.now
            let position = PlaybackPosition(frame: storage.position, time: now, isAdvancing: false)
            if storage.waiting > 0 { recording.flushed(at: now) }
            storage.position += Int64(storage.waiting)
            storage.samples.removeAll(keepingCapacity: true)
            storage.start = 0
            return position
        }
    }

    func close() async { storage.withLock { $0.onPosition = nil } }

    /// Takes 20 ms, and tells the runtime while it plays, and once when it stops.
    func tick() {
        let report = storage.withLock { storage -> (@Sendable () -> Void)? in
            let now = Stopwatch.now
            let taken = min(BenchMarker.frame, storage.waiting)
            recording.played(Self.mark(storage), at: now)
            let wasAdvancing = storage.isAdvancing
            storage.isAdvancing = taken > 0
            let position = PlaybackPosition(frame: storage.position, time: now, isAdvancing: taken > 0)
            storage.start += taken
            storage.position += Int64(taken)
            guard taken > 0 || wasAdvancing, let onPosition = storage.onPosition else { return nil }
            return { onPosition(position) }
        }
        report?()
    }

    private static func mark(_ storage: Storage) -> Int64 {
        guard storage.waiting > 0 else { return BenchRecording.Mark.silence }
        let number = storage.samples.withUnsafeBufferPointer { BenchMarker.number(in: $0, at: storage.start) }
        return number ?? BenchRecording.Mark.unmarked
    }
}
