import GlassesDomain
import Synchronization

/// A device that exists only in a test: its microphone hears what the test gives it, and its loudspeaker plays by the test's clock.
public final class SimulatedDevice: GlassesTransport {
    /// What the device is.
    public let facts: TransportFacts
    /// The events of the device; one consumer.
    public let events: AsyncStream<TransportEvent>
    /// The microphone, to be spoken into.
    public let simulatedMicrophone: SimulatedMicrophone
    /// The loudspeaker, to be listened to.
    public let simulatedSpeaker: SimulatedSpeaker
    /// The camera, to be shown something; nil without one.
    public let simulatedCamera: SimulatedCamera?
    /// The vendor's companion, to answer the app; nil without one.
    public let simulatedRegistration: SimulatedRegistration?

    private let continuation: AsyncStream<TransportEvent>.Continuation
    private let refusal = Mutex<ConnectError?>(nil)
    private let hold = Mutex<AsyncStream<Void>?>(nil)

    /// A device on `clock` with microphone and loudspeaker at their rates, and with `camera` and `registration` if there are such.
    public init(
        clock: ClockPort, microphoneRate: Int = 16_000, speakerRate: Int = 24_000, camera: SimulatedCamera? = nil,
        registration: SimulatedRegistration? = nil
    ) {
        facts = TransportFacts(
            id: "org.extentos.simulated-device", name: "Simulated device",
            device: DeviceInfo(
                id: "simulated", modelName: "Simulated device", firmwareVersion: "1", deviceType: .unknown,
                vendor: "simulated"),
            capabilities: DeviceCapabilitySet(camera: camera != nil, microphone: true, speaker: true, display: false),
            microphoneRate: microphoneRate, speakerRate: speakerRate, camera: camera?.facts,
            hasRegistration: registration != nil)
        simulatedRegistration = registration
        simulatedCamera = camera
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        simulatedMicrophone = SimulatedMicrophone(sampleRate: microphoneRate, clock: clock)
        simulatedSpeaker = SimulatedSpeaker(sampleRate: speakerRate, clock: clock)
    }

    /// The microphone as the runtime sees it.
    public var microphone: (any MicrophonePort)? { simulatedMicrophone }
    /// The loudspeaker as the runtime sees it.
    public var speaker: (any SpeakerPort)? { simulatedSpeaker }

    /// The camera as the runtime sees it.
    public var camera: (any CameraPort)? { simulatedCamera }

    /// The registration as the runtime sees it.
    public var registration: (any RegistrationPort)? { simulatedRegistration }

    /// The device or its wearer does something by itself.
    public func report(_ event: TransportEvent) { continuation.yield(event) }

    /// Refuses the next connects with this error; nil accepts them.
    public func refuseConnect(_ error: ConnectError?) { refusal.withLock { $0 = error } }

    /// Holds the next connects back until the stream ends.
    public func holdConnect(_ until: AsyncStream<Void>) { hold.withLock { $0 = until } }

    /// The device goes away by itself.
    public func drop(cause: DisconnectCause = .deviceDroppedConnection) {
        continuation.yield(.stateChanged(.disconnected(cause: cause)))
    }

    /// The device comes back by itself.
    public func comeBack() {
        continuation.yield(.stateChanged(.active(state: .connected(device: facts.device, camera: .ready))))
    }

    /// Succeeds at once, unless held back or refused.
    public func connect(deviceId: DeviceId?) async -> ExtentosResult<DeviceInfo, ConnectError> {
        if let hold = hold.withLock({ $0 }) { for await _ in hold {} }
        if let error = refusal.withLock({ $0 }) { return .failure(error) }
        return .success(facts.device)
    }

    /// Does nothing but return.
    public func disconnect() async {}

    /// The answer of the simulated companion; never for a device without one.
    public func handleUrl(_ url: String) async -> Bool { simulatedRegistration?.open(url) ?? false }

    /// Ends the events.
    public func shutdown() async { continuation.finish() }
}

/// The microphone of a simulated device.
public final class SimulatedMicrophone: MicrophonePort {
    /// Frames per second.
    public let sampleRate: Int
    private let clock: ClockPort
    private struct Outlet {
        var sink: (@Sendable (PCMBlock) -> Void)?
    }

    private let outlet = Mutex(Outlet())

    init(sampleRate: Int, clock: ClockPort) {
        self.sampleRate = sampleRate
        self.clock = clock
    }

    /// Whether somebody listens.
    public var isOpen: Bool { outlet.withLock { $0.sink != nil } }

    /// The microphone hears these samples now; false when nobody listens.
    @discardableResult
    public func hear(_ samples: [Int16]) -> Bool {
        guard let sink = outlet.withLock({ $0.sink }) else { return false }
        sink(PCMBlock(samples: samples, sampleRate: sampleRate, time: clock.now()))
        return true
    }

    /// Opens at once.
    public func open(_ sink: @escaping @Sendable (PCMBlock) -> Void) async -> ExtentosResult<Void, AudioError> {
        outlet.withLock { $0.sink = sink }
        return .success(())
    }

    /// Closes at once.
    public func close() async { outlet.withLock { $0.sink = nil } }
}

/// The loudspeaker of a simulated device: plays at its rate by the clock, from the moment of the first write.
public final class SimulatedSpeaker: SpeakerPort {
    /// How many frames may wait: 2 s, as in a real host ring.
    private let capacity: Int

    private struct Storage {
        var onPosition: (@Sendable (PlaybackPosition) -> Void)?
        var written: [Int16] = []
        /// Frames before this are played or flushed; the rest waits.
        var base: Int64 = 0
        var baseTime = MonotonicTime.zero
        var heard: [Int16] = []
        var generation = 0
    }

    /// Frames per second.
    public let sampleRate: Int
    private let clock: ClockPort
    private let storage = Mutex(Storage())

    init(sampleRate: Int, clock: ClockPort) {
        self.sampleRate = sampleRate
        self.clock = clock
        capacity = sampleRate * 2
    }

    /// Whether it is open.
    public var isOpen: Bool { storage.withLock { $0.onPosition != nil } }

    /// Whether something still waits to be heard.
    public var isBusy: Bool {
        storage.withLock { storage in
            settle(&storage, at: clock.now())
            return waiting(storage) > 0
        }
    }

    /// Everything that left the loudspeaker since it was opened, without the silence between.
    public var heard: [Int16] {
        storage.withLock { storage in
            settle(&storage, at: clock.now())
            return storage.heard
        }
    }

    /// Opens at once.
    public func open(_ onPosition: @escaping @Sendable (PlaybackPosition) -> Void) async -> ExtentosResult<
        Void, AudioError
    > {
        storage.withLock { storage in
            storage = Storage()
            storage.onPosition = onPosition
            storage.baseTime = clock.now()
        }
        return .success(())
    }

    /// Takes what fits into 2 s.
    public func write(_ samples: ArraySlice<Int16>) -> Int {
        let (taken, generation) = storage.withLock { storage -> (Int, Int) in
            let now = clock.now()
            settle(&storage, at: now)
            if waiting(storage) == 0 { storage.baseTime = now }
            let taken = min(samples.count, capacity - waiting(storage))
            storage.written.append(contentsOf: samples.prefix(taken))
            storage.generation += 1
            return (taken, storage.generation)
        }
        if taken > 0 { report(generation) }
        return taken
    }

    /// Frames that fit now.
    public var writableFrames: Int {
        storage.withLock { storage in
            settle(&storage, at: clock.now())
            return capacity - waiting(storage)
        }
    }

    /// Frames written since it was opened.
    public var writtenFrames: Int64 { storage.withLock { Int64($0.written.count) } }

    /// Cuts at once, exactly at the clock's moment.
    public func flush() async -> PlaybackPosition {
        storage.withLock { storage in
            let now = clock.now()
            settle(&storage, at: now)
            let position = PlaybackPosition(frame: storage.base, time: now, isAdvancing: false)
            storage.base = Int64(storage.written.count)
            storage.baseTime = now
            return position
        }
    }

    /// Closes at once.
    public func close() async { storage.withLock { $0.onPosition = nil } }

    private func waiting(_ storage: Storage) -> Int { storage.written.count - Int(storage.base) }

    /// Moves what has been played by `now` from the queue to what was heard.
    private func settle(_ storage: inout Storage, at now: MonotonicTime) {
        let elapsed = max(.zero, storage.baseTime.duration(to: now))
        let frames = min(Int(elapsed.wholeNanoseconds * Int64(sampleRate) / 1_000_000_000), waiting(storage))
        guard frames > 0 else { return }
        let start = Int(storage.base)
        storage.heard.append(contentsOf: storage.written[start..<start + frames])
        storage.base += Int64(frames)
        storage.baseTime = storage.baseTime.advanced(
            by: .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(sampleRate)))
    }

    /// Reports the position every 10 ms while audio waits, and once when it has been played.
    private func report(_ generation: Int) {
        Task { [self] in
            while true {
                let (position, sink) = storage.withLock { storage in
                    settle(&storage, at: clock.now())
                    let position = PlaybackPosition(
                        frame: storage.base, time: storage.baseTime, isAdvancing: waiting(storage) > 0)
                    return (position, storage.generation == generation ? storage.onPosition : nil)
                }
                guard let sink else { return }
                sink(position)
                guard position.isAdvancing else { return }
                do { try await clock.sleepUntil(clock.now().advanced(by: .milliseconds(10))) } catch { return }
            }
        }
    }
}
