import GlassesAudio
import GlassesDomain
import Synchronization

/// The one capture of the device's microphone, shared by everybody who listens: it is open while somebody listens, a device is
/// connected and the user's gate is open, and released otherwise.
final class MicrophoneHub: Sendable {
    /// Injected speech that may wait to be heard, in seconds: longer than any sentence that a test or a tool says.
    static let injectedLimit = 60

    /// One listener. Its closures run under the hub's lock, on the host's reader thread or on the thread that closes the gate, so
    /// that nothing is delivered once a gate is closed: they must not block, and must not call the hub.
    struct Listener: Sendable {
        /// Frames per second of the delivered samples.
        var sampleRate: Int
        /// Gets the samples of each captured block and the time of the first one.
        var deliver: @Sendable ([Int16], MonotonicTime?) -> Void
        /// Is told that samples are missing between the last block and the next one: a closed gate or a lost device.
        var interrupted: @Sendable () -> Void
    }

    private final class Subscription {
        let listener: Listener
        var resampler: Resampler?

        init(_ listener: Listener) { self.listener = listener }
    }

    private struct Storage {
        var subscriptions: [Int: Subscription] = [:]
        var nextID = 0
        var gate = MicrophoneGate.open
        var port: (any MicrophonePort)?
        var isConnected = false
        var isOpen = false
        var injected: [Int16] = []
        var injectedStart = 0
    }

    private let storage = Mutex(Storage())
    private let operations = OperationChain()
    private let events: EventLog
    private let recorder: (@Sendable (PCMBlock) -> Void)?

    /// `recorder` gets every block that was heard, in order, after the listeners; on the host's reader thread, outside the lock, so that
    /// it may call the hub.
    init(events: EventLog, recorder: (@Sendable (PCMBlock) -> Void)?) {
        self.events = events
        self.recorder = recorder
    }

    /// Whether the user's gate lets samples through.
    var gate: MicrophoneGate { storage.withLock { $0.gate } }

    /// Frames per second of the device's microphone; nil without one.
    var sampleRate: Int? { storage.withLock { $0.port }?.sampleRate }

    /// Whether a device is connected that has no microphone.
    var isOnDeviceWithoutMicrophone: Bool { storage.withLock { $0.isConnected && $0.port == nil } }

    /// Begins to listen; returns when the microphone is open or cannot be opened now. A failure does not end the subscription: the
    /// microphone opens as soon as it can. `id` is for ``stop(_:)``.
    func listen(_ listener: Listener) async -> (id: Int, result: ExtentosResult<Void, AudioError>) {
        let id = storage.withLock { storage in
            storage.nextID += 1
            storage.subscriptions[storage.nextID] = Subscription(listener)
            return storage.nextID
        }
        return (id, await settle())
    }

    /// Ends listening: no sample is delivered after this begins. Returns when the device is released, if nobody else listens.
    func stop(_ id: Int) async {
        _ = storage.withLock { $0.subscriptions.removeValue(forKey: id) }
        _ = await settle()
    }

    /// Follows the user's gate; when it closes, no sample passes after this. ``gateSettled()`` opens or releases the device.
    func applyGate(_ gate: MicrophoneGate) {
        storage.withLock { storage in
            guard storage.gate != gate else { return }
            storage.gate = gate
            if !gate.isOpen { Self.interrupt(&storage) }
        }
    }

    /// Returns when the device is as the gate that applies by then wants it.
    func gateSettled() async { _ = await settle() }

    /// Follows the transport.
    func setPort(_ port: (any MicrophonePort)?) async {
        storage.withLock { $0.port = port }
        _ = await settle()
    }

    /// Follows the device's connection.
    func setConnected(_ isConnected: Bool) async {
        storage.withLock { storage in
            guard storage.isConnected != isConnected else { return }
            storage.isConnected = isConnected
            if !isConnected { Self.interrupt(&storage) }
        }
        _ = await settle()
    }

    /// Adds `speech` to what the microphone hears from its next block on. False when the microphone is not open, the rate cannot be
    /// converted, or more than ``injectedLimit`` seconds would wait.
    func inject(_ speech: PCMBlock) -> Bool {
        let rate = storage.withLock { $0.isOpen ? $0.port?.sampleRate : nil }
        guard let rate, speech.samples.count / max(1, speech.sampleRate) <= Self.injectedLimit,
            let samples = Self.converted(speech, to: rate)
        else { return false }
        return storage.withLock { storage in
            let waiting = storage.injected.count - storage.injectedStart
            guard storage.isOpen, storage.port?.sampleRate == rate, waiting + samples.count <= Self.injectedLimit * rate
            else { return false }
            storage.injected.removeFirst(storage.injectedStart)
            storage.injectedStart = 0
            storage.injected.append(contentsOf: samples)
            return true
        }
    }

    private static func converted(_ speech: PCMBlock, to rate: Int) -> [Int16]? {
        guard speech.sampleRate != rate else { return speech.samples }
        do {
            let resampler = try Resampler(inputRate: speech.sampleRate, outputRate: rate)
            return resampler.process(speech.samples) + resampler.flush()
        } catch {
            return nil  // A rate that cannot be converted.
        }
    }

    private static func interrupt(_ storage: inout Storage) {
        for subscription in storage.subscriptions.values {
            subscription.resampler = nil
            subscription.listener.interrupted()
        }
    }

    /// Opens or releases the microphone until it is as it should be.
    private func settle() async -> ExtentosResult<Void, AudioError> {
        await operations.run { [self] in
            let (port, wanted, isOpen) = storage.withLock {
                ($0.port, $0.isConnected && $0.gate.isOpen && !$0.subscriptions.isEmpty, $0.isOpen)
            }
            guard let port else { return .failure(.notConnected) }
            if wanted, !isOpen { return await open(port) }
            if !wanted, isOpen {
                storage.withLock { storage in
                    storage.isOpen = false
                    storage.injected = []
                    storage.injectedStart = 0
                }
                await port.close()
            }
            return wanted ? .success(()) : blocked()
        }
    }

    private func blocked() -> ExtentosResult<Void, AudioError> {
        let (gate, isConnected) = storage.withLock { ($0.gate, $0.isConnected) }
        if case .closed(let toggle) = gate { return .failure(.disabledByUser(toggle: toggle)) }
        return isConnected ? .success(()) : .failure(.notConnected)
    }

    private func open(_ port: any MicrophonePort) async -> ExtentosResult<Void, AudioError> {
        // Set before the port opens: its first blocks may come before `open` returns.
        storage.withLock { $0.isOpen = true }
        let result = await port.open { [weak self] block in self?.deliver(block) }
        if case .failure(let error) = result {
            storage.withLock { $0.isOpen = false }
            events.log(.warn, "microphone.unavailable", ["code": .string(error.code)])
        }
        return result
    }

    private func deliver(_ block: PCMBlock) {
        let heard = storage.withLock { storage -> PCMBlock? in
            guard storage.isOpen, storage.gate.isOpen, storage.isConnected else { return nil }
            let heard = Self.mixInjected(into: block, &storage)
            for subscription in storage.subscriptions.values { self.deliver(heard, to: subscription) }
            return heard
        }
        if let heard { recorder?(heard) }
    }

    private static func mixInjected(into block: PCMBlock, _ storage: inout Storage) -> PCMBlock {
        guard storage.injectedStart < storage.injected.count else { return block }
        var heard = block
        let count = min(heard.samples.count, storage.injected.count - storage.injectedStart)
        for index in 0..<count {
            let sum = Int32(heard.samples[index]) + Int32(storage.injected[storage.injectedStart + index])
            heard.samples[index] = Int16(clamping: sum)
        }
        storage.injectedStart += count
        if storage.injectedStart == storage.injected.count {
            storage.injected = []
            storage.injectedStart = 0
        }
        return heard
    }

    private func deliver(_ block: PCMBlock, to subscription: Subscription) {
        let listener = subscription.listener
        guard block.sampleRate != listener.sampleRate else { return listener.deliver(block.samples, block.time) }
        do {
            let resampler =
                try subscription.resampler
                ?? Resampler(inputRate: block.sampleRate, outputRate: listener.sampleRate)
            subscription.resampler = resampler
            let samples = resampler.process(block.samples)
            if !samples.isEmpty { listener.deliver(samples, block.time) }
        } catch {
            events.log(.error, "microphone.rate_unsupported", ["rate": .int(Int64(block.sampleRate))])
        }
    }
}
