import CGlassesPlugin
import CShims
import GlassesDomain
import Synchronization

/// A plugin's loudspeaker: a ring of two seconds that never drops, and the truth about what was played.
final class PluginSpeaker: SpeakerPort {
    /// Room for the 200–400 ms that the host stays ahead, and for a whole answer of a fast engine's first second.
    private static let ringSeconds = 2
    /// After this a cut no longer waits for the device, as the port promises.
    static let flushLimit: Duration = .milliseconds(100)
    /// After this without a word, a loudspeaker counts as hung.
    private static let hangLimit: Duration = .seconds(1)
    private static let readerLimit: Duration = .milliseconds(150)

    let sampleRate: Int
    private let monitor: CallMonitor
    private let flushLimit: Duration
    private let send: @Sendable (TransportCall) async -> RequestTable.Ending
    private let sendFlush: @Sendable (UInt64, Int64) -> Void
    private let onError: @Sendable (TransportError) -> Void
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var stream = Stream.closed
        var flushSerial: UInt64 = 0
    }

    fileprivate enum Stream {
        case closed
        case changing
        case open(OpenSpeaker, RingReader)
    }

    init(
        sampleRate: Int, monitor: CallMonitor, flushLimit: Duration = flushLimit,
        send: @escaping @Sendable (TransportCall) async -> RequestTable.Ending,
        flush: @escaping @Sendable (UInt64, Int64) -> Void, onError: @escaping @Sendable (TransportError) -> Void,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.log = log
        self.flushLimit = flushLimit
        self.sampleRate = sampleRate
        self.monitor = monitor
        self.send = send
        sendFlush = flush
        self.onError = onError
    }

    func open(
        _ onPosition: @escaping @Sendable (PlaybackPosition) -> Void
    ) async -> ExtentosResult<Void, AudioError> {
        guard begin() else { return .failure(.alreadyOpen("loudspeaker")) }
        guard let ring = AudioRingMemory(capacity: UInt32(sampleRate * Self.ringSeconds), sampleRate: sampleRate),
            let reader = RingReader()
        else {
            state.withLock { $0.stream = .closed }
            return .failure(.outOfResources)
        }
        let speaker = OpenSpeaker(ring: ring, monitor: monitor, onPosition: onPosition, onWork: { reader.kick() })
        reader.start("plugin spk", wakeDescriptor: ring.wakeDescriptor, isParked: { speaker.isIdle }) { [self] in
            if speaker.readReports(hangLimit: Self.hangLimit) { reportHang() }
            return true
        }
        let stream = RingStream(
            ring: ring, pluginDied: { speaker.pluginDied() }, pluginRestarts: { speaker.pluginRestarts() })
        switch await send(.startSpeaker(stream)) {
        case .success:
            state.withLock { $0.stream = .open(speaker, reader) }
            return .success(())
        case .failure(let failure):
            await reader.stop(limit: Self.readerLimit)
            if failure.result == .timeout { ring.abandon() }
            state.withLock { $0.stream = .closed }
            return .failure(AudioError(failure))
        }
    }

    func write(_ samples: ArraySlice<Int16>) -> Int { openSpeaker?.write(samples) ?? 0 }

    var writableFrames: Int { openSpeaker?.ring.writableFrames ?? 0 }

    var writtenFrames: Int64 { openSpeaker?.writtenFrames ?? 0 }

    func flush() async -> PlaybackPosition {
        let (speaker, flush) = state.withLock { state in
            state.flushSerial += 1
            return (state.stream.speaker, state.flushSerial)
        }
        guard let speaker else { return PlaybackPosition(frame: 0, time: SystemClock.now(), isAdvancing: false) }
        return await withCheckedContinuation { (continuation: CheckedContinuation<PlaybackPosition, Never>) in
            let answer = OnceContinuation(continuation)
            guard let position = speaker.beginFlush(flush, answer) else { return }
            sendFlush(flush, position)
            cshims_eventfd_signal(speaker.ring.kickDescriptor)
            _ = Deadline.after(flushLimit) { speaker.giveUpWaiting(flush) }
            _ = Deadline.after(Self.hangLimit) { [self] in
                if speaker.isUnanswered(flush) {
                    monitor.report(.notCompleted(limit: Self.hangLimit), in: "glasses_speaker.flush")
                    reportHang()
                }
            }
        }
    }

    func close() async {
        guard let (speaker, reader) = takeOpen() else { return }
        let ending = await send(.stopSpeaker)
        await reader.stop(limit: Self.readerLimit)
        if let losses = speaker.ring.losses { log("speaker_losses: \(losses)") }
        speaker.giveUpWaiting(.max)
        if case .failure = ending { speaker.ring.abandon() }
        state.withLock { $0.stream = .closed }
    }

    private var openSpeaker: OpenSpeaker? { state.withLock { $0.stream.speaker } }

    private func begin() -> Bool {
        state.withLock { state in
            guard case .closed = state.stream else { return false }
            state.stream = .changing
            return true
        }
    }

    private func takeOpen() -> (OpenSpeaker, RingReader)? {
        state.withLock { state in
            guard case .open(let speaker, let reader) = state.stream else { return nil }
            state.stream = .changing
            return (speaker, reader)
        }
    }

    private func reportHang() {
        onError(
            .platformError(
                code: "speaker_hung",
                message: "The loudspeaker of \(monitor.plugin) does not answer. Check the sound server and the device.")
        )
    }
}

extension PluginSpeaker.Stream {
    fileprivate var speaker: OpenSpeaker? { if case .open(let speaker, _) = self { speaker } else { nil } }
}
