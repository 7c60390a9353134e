import GlassesAudio
import GlassesDomain
import Synchronization

/// What the playout queue reports, in order.
enum PlaybackEvent: Sendable, Equatable {
    /// The first sample of a segment is audible.
    case started(PlayoutSegmentID)
    /// How much of the audible segment has been heard.
    case progressed(PlayoutSegmentID, heardMs: Int64)
    /// Everything of the assistant's voice has been heard.
    case drained
}

/// The one output of a pair of glasses: the assistant's voice and short sounds over it, mixed into the loudspeaker, which is kept
/// 300 ms ahead. The playout clock says what was heard.
///
/// Callable on any thread; nothing here blocks.
final class PlaybackOutput: Sendable {
    private struct Storage {
        var mixer: PlaybackMixer?
        var port: (any SpeakerPort)?
        var isOpen = false
        var isConnected = false
        var isKeptReady = false
        var listener: (@Sendable (PlaybackEvent) -> Void)?
    }

    private let storage = Mutex(Storage())
    private let operations = OperationChain()
    /// Flushes, whose answers come in the order in which they were begun.
    private let flushes = OperationChain()
    /// How many want to know how loud the voice is.
    private let meters = Atomic<Int>(0)
    private let clock: ClockPort
    private let events: EventLog
    private let recorder: (@Sendable (ArraySlice<Int16>, Int) -> Void)?
    private let voiceRecorder: (@Sendable ([Int16]) -> Void)?

    /// `recorder` gets everything that the loudspeaker took, with its rate; `voiceRecorder` the voice as it comes.
    init(
        clock: ClockPort, events: EventLog, recorder: (@Sendable (ArraySlice<Int16>, Int) -> Void)?,
        voiceRecorder: (@Sendable ([Int16]) -> Void)? = nil
    ) {
        self.clock = clock
        self.events = events
        self.recorder = recorder
        self.voiceRecorder = voiceRecorder
    }

    /// Whether the loudspeaker is open.
    var isOpen: Bool { storage.withLock { $0.isOpen } }

    /// Whether audio of the assistant's voice is still to be heard.
    var isVoiceLive: Bool { storage.withLock { $0.mixer?.isVoiceLive ?? false } }

    /// Somebody wants to know how loud the voice is; ends with ``removeMeter()``.
    func addMeter() {
        meters.add(1, ordering: .relaxed)
        storage.withLock { pump(&$0) }
    }

    /// The counterpart of ``addMeter()``; any thread, takes no lock.
    func removeMeter() { meters.subtract(1, ordering: .relaxed) }

    /// How loud the voice was since the last call, 0…1; nil where it was not measured.
    func takeLevel() -> Float? { storage.withLock { $0.mixer?.takeLevel(at: clock.now()) } }

    /// Sets who hears of the assistant's voice; one at a time. It must not block.
    func setListener(_ listener: (@Sendable (PlaybackEvent) -> Void)?) {
        storage.withLock { $0.listener = listener }
    }

    /// Whether a conversation is under way, whose next sound must not wait until a loudspeaker that rests is open again.
    func keepReady(_ isKeptReady: Bool) {
        let port = storage.withLock { storage in
            storage.isKeptReady = isKeptReady
            return storage.port
        }
        (port as? RestingSpeaker)?.keepReady(isKeptReady)
    }

    /// The loudspeaker cannot be opened, at first or after it rested.
    func lost(_ error: AudioError) {
        endEverything(isVoiceDrained: true)
        events.log(.warn, "speaker.unavailable", ["code": .string(error.code)])
    }

    /// Follows the transport.
    func setPort(_ port: (any SpeakerPort)?) async {
        let isKeptReady = storage.withLock { storage in
            storage.port = port
            return storage.isKeptReady
        }
        (port as? RestingSpeaker)?.keepReady(isKeptReady)
        await settle()
    }

    /// Follows the device's connection: the loudspeaker is open while the device is connected.
    func setConnected(_ isConnected: Bool) async {
        storage.withLock { $0.isConnected = isConnected }
        await settle()
    }

    /// Queues samples of a segment of the assistant's voice; false when the loudspeaker is not open or the queue is full.
    func play(_ samples: [Int16], of segment: PlayoutSegmentID) -> Bool {
        voiceRecorder?(samples)
        return storage.withLock { storage in
            guard storage.isOpen, storage.mixer?.appendVoice(samples, of: segment) == true else { return false }
            pump(&storage)
            return true
        }
    }

    /// Says that no more samples of a segment will come.
    func complete(_ segment: PlayoutSegmentID) {
        storage.withLock { storage in
            storage.mixer?.completeVoice(segment)
            pump(&storage)
        }
    }

    /// Queues a sound; `ducks` lowers the voice under it. `ended` is called once: when its last sample was heard (true), or when it
    /// was cut or cannot be played (false).
    func play(_ sound: PlaybackSound, ended: @escaping @Sendable (Bool) -> Void) {
        let accepted = storage.withLock { storage in
            guard storage.isOpen, storage.mixer?.append(sound, ended: ended) == true else { return false }
            pump(&storage)
            return true
        }
        if !accepted { ended(false) }
    }

    /// Cuts the sounds with this name, at once unless they are mixed with the voice: then within 300 ms.
    func cutSounds(named name: String) async {
        let cut = storage.withLock { $0.mixer?.cut(soundsNamed: name) }
        guard let cut else { return }
        for end in cut.ended { end(false) }
        if cut.needsFlush { _ = await flushes.run { [self] in await finishCut() } }
    }

    /// Cuts the assistant's voice, everything queued before this returns; the task answers how much of each segment was heard,
    /// within 100 ms.
    func cutVoice() -> Task<[PlayoutSegmentStatus], Never> {
        storage.withLock { storage in
            let began: Void? = storage.mixer?.beginVoiceCut()
            return flushes.add { [self] in began == nil ? [] : await finishCut() }
        }
    }

    /// The assistant's voice stands still, to go on where it was heard last: ``resumeVoice()``. A cut ends that too.
    func pauseVoice() {
        storage.withLock { storage in
            guard storage.mixer?.beginPause() == true else { return }
            flushes.add { [self] in await finishPause() }
        }
    }

    private func finishPause() async {
        let position = await flushedPosition()
        storage.withLock { storage in
            storage.mixer?.endPause(at: position, now: clock.now())
            pump(&storage)
        }
    }

    /// The counterpart of ``pauseVoice()``; does nothing without it.
    func resumeVoice() {
        storage.withLock { storage in
            storage.mixer?.resume()
            pump(&storage)
        }
    }

    private func finishCut() async -> [PlayoutSegmentStatus] {
        let position = await flushedPosition()
        return storage.withLock { storage in
            let heard = storage.mixer?.endCut(at: position, now: clock.now()) ?? []
            pump(&storage)
            return heard
        }
    }

    private func flushedPosition() async -> PlaybackPosition {
        let port = storage.withLock { $0.port }
        return await port?.flush() ?? PlaybackPosition(frame: 0, time: clock.now(), isAdvancing: false)
    }

    private func settle() async {
        await operations.run { [self] in
            let (port, wanted, isOpen) = storage.withLock { ($0.port, $0.isConnected && $0.port != nil, $0.isOpen) }
            if wanted, !isOpen, let port { await open(port) }
            if !wanted, isOpen {
                endEverything(isVoiceDrained: false)
                await port?.close()
            }
        }
    }

    private func open(_ port: any SpeakerPort) async {
        let rate = port.sampleRate
        do {
            try storage.withLock { storage in
                storage.mixer = try PlaybackMixer(speakerRate: rate)
                storage.isOpen = true
            }
        } catch {
            events.log(.error, "speaker.rate_unsupported", ["rate": .int(Int64(rate))])
            return
        }
        let result = await port.open { [weak self] position in self?.positionReported(position) }
        if case .failure(let error) = result { lost(error) }
    }

    /// Ends what was accepted: sounds as not heard, and the voice with a last word of how much of it was heard. `isVoiceDrained` also
    /// says that nothing of the voice is left, for a session that nobody else tells that it will not be heard.
    private func endEverything(isVoiceDrained: Bool) {
        let ended = storage.withLock { storage in
            storage.isOpen = false
            let wasVoiceLive = storage.mixer?.isVoiceLive ?? false
            guard let closed = storage.mixer?.close(at: clock.now()) else { return [PlaybackMixer.Ending]() }
            for event in closed.told { storage.listener?(event) }
            if isVoiceDrained, wasVoiceLive { storage.listener?(.drained) }
            return closed.ended
        }
        for end in ended { end(false) }
    }

    private func positionReported(_ position: PlaybackPosition) {
        let ended = storage.withLock { storage in
            let ended = storage.mixer?.positionReported(position, at: clock.now()) ?? []
            pump(&storage)
            return ended
        }
        for end in ended { end(true) }
    }

    /// Fills the loudspeaker and tells what became audible. Under the lock, so that events keep their order; the listener only queues.
    private func pump(_ storage: inout Storage) {
        guard storage.isOpen, let port = storage.port, storage.mixer != nil else { return }
        let now = clock.now()
        storage.mixer?.setMetered(meters.load(ordering: .relaxed) > 0, at: now)
        while let block = storage.mixer?.nextBlock(at: now, room: port.writableFrames), !block.isEmpty {
            let taken = port.write(block[...])
            storage.mixer?.blockWritten(frames: taken, at: now)
            recorder?(block[..<taken], port.sampleRate)
            if taken < block.count { break }
        }
        guard let listener = storage.listener, let told = storage.mixer?.takeEvents(at: now) else { return }
        for event in told { listener(event) }
    }
}
