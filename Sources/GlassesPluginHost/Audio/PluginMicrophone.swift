import CGlassesPlugin
import GlassesDomain
import Synchronization

/// A plugin's microphone: a ring of two seconds and the reader thread that empties it.
final class PluginMicrophone: MicrophonePort {
    /// The ABI's capacity: a consumer may stall for two seconds before anything is lost.
    private static let ringSeconds = 2
    /// With the stop's own limit this keeps the port's second.
    private static let readerLimit: Duration = .milliseconds(150)

    let sampleRate: Int
    private let monitor: CallMonitor
    private let send: @Sendable (TransportCall) async -> RequestTable.Ending
    private let log: @Sendable (String) -> Void
    private let stream = Mutex<Stream>(.closed)

    private enum Stream {
        case closed
        case changing
        case open(AudioRingMemory, RingReader)
    }

    init(
        sampleRate: Int, monitor: CallMonitor,
        send: @escaping @Sendable (TransportCall) async -> RequestTable.Ending,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.log = log
        self.sampleRate = sampleRate
        self.monitor = monitor
        self.send = send
    }

    func open(_ sink: @escaping @Sendable (PCMBlock) -> Void) async -> ExtentosResult<Void, AudioError> {
        guard begin() else { return .failure(.alreadyOpen("microphone")) }
        guard let ring = AudioRingMemory(capacity: UInt32(sampleRate * Self.ringSeconds), sampleRate: sampleRate),
            let reader = RingReader()
        else {
            stream.withLock { $0 = .closed }
            return .failure(.outOfResources)
        }
        let capture = CaptureReader(ring: ring, reader: reader, monitor: monitor, sink: sink)
        reader.start("plugin mic", wakeDescriptor: ring.wakeDescriptor) { capture.deliver() }
        let shared = RingStream(ring: ring, pluginDied: {}, pluginRestarts: { capture.pluginRestarts() })
        switch await send(.startMicrophone(shared)) {
        case .success:
            stream.withLock { $0 = .open(ring, reader) }
            return .success(())
        case .failure(let failure):
            await reader.stop(limit: Self.readerLimit)
            if failure.result == .timeout { ring.abandon() }
            stream.withLock { $0 = .closed }
            return .failure(AudioError(failure))
        }
    }

    func close() async {
        guard let (ring, reader) = takeOpen() else { return }
        let ending = await send(.stopMicrophone)
        await reader.stop(limit: Self.readerLimit)
        if let losses = ring.losses { log("microphone_losses: \(losses)") }
        if case .failure = ending { ring.abandon() }
        stream.withLock { $0 = .closed }
    }

    private func begin() -> Bool {
        stream.withLock { stream in
            guard case .closed = stream else { return false }
            stream = .changing
            return true
        }
    }

    private func takeOpen() -> (AudioRingMemory, RingReader)? {
        stream.withLock { stream in
            guard case .open(let ring, let reader) = stream else { return nil }
            stream = .changing
            return (ring, reader)
        }
    }
}

/// What the reader thread of a microphone does.
final class CaptureReader: Sendable {
    private let ring: AudioRingMemory
    private let reader: RingReader
    private let monitor: CallMonitor
    private let sink: @Sendable (PCMBlock) -> Void
    private let state: Mutex<State>

    private struct State {
        var timeline: CaptureTimeline
        var nextMark: Int64 = 0
    }

    init(
        ring: AudioRingMemory, reader: RingReader, monitor: CallMonitor, sink: @escaping @Sendable (PCMBlock) -> Void
    ) {
        self.ring = ring
        self.reader = reader
        self.monitor = monitor
        self.sink = sink
        state = Mutex(State(timeline: CaptureTimeline(sampleRate: ring.sampleRate, capacity: Int(ring.capacity))))
    }

    /// Hands on every whole block that is there; not more than the ring holds, whatever its positions say.
    func deliver() -> Bool {
        var taken = 0
        while !reader.isStopping, taken < Int(ring.capacity), let block = nextBlock() {
            taken += block.samples.count
            sink(block)
        }
        return !reader.isStopping
    }

    /// A new plugin begins: its positions start at 0 again, and its times show the gap.
    func pluginRestarts() {
        state.withLock { state in
            ring.restart()
            state = State(timeline: CaptureTimeline(sampleRate: ring.sampleRate, capacity: Int(ring.capacity)))
        }
    }

    private func nextBlock() -> PCMBlock? {
        state.withLock { state in
            // The frames first: their marks were written before them.
            let readable = ring.readableFrames
            readMarks(&state)
            let count = state.timeline.nextBlock(readable: readable)
            guard count > 0 else { return nil }
            let samples = ring.read(count)
            guard !samples.isEmpty else { return nil }
            let time = state.timeline.take(samples.count)
            return PCMBlock(samples: samples, sampleRate: ring.sampleRate, time: time)
        }
    }

    /// At most one round of the mark ring; marks that were overwritten meanwhile are skipped.
    private func readMarks(_ state: inout State) {
        let written = ring.markCount
        let newest = AudioRingMemory.markCapacity
        if written < state.nextMark || written - state.nextMark > newest {
            state.nextMark = max(0, written - newest / 2)
        }
        let now = SystemClock.now()
        for _ in 0..<newest where state.nextMark < written {
            if let mark = ring.mark(state.nextMark) {
                let plain = CaptureTimeline.Mark(frame: mark.frame, time: MonotonicTime(nanoseconds: mark.t_ns))
                if state.timeline.add(plain, now: now) == .implausible {
                    monitor.report(.wrongPosition, in: "glasses_ring.marks", from: .maximal)
                }
            }
            state.nextMark += 1
        }
    }
}

extension AudioError {
    /// A stream that is open, opening or closing.
    static func alreadyOpen(_ name: String) -> AudioError {
        .platformError(
            code: "already_open", message: "The \(name) is in use by this app. Close it before opening it again.")
    }

    /// No memory or descriptors.
    static let outOfResources = AudioError.platformError(
        code: "out_of_resources", message: "The system has no memory or file descriptors left. Close other apps.")
}
