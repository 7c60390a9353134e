import GlassesDomain
import GlassesRealtime
import Synchronization

/// The way of microphone samples to the provider: open between `startUplink` and `stopUplink` of the session machine, and not one
/// sample longer.
///
/// It also remembers what it was given, for the utterance that a lost connection must not take: see ``UtteranceTape``.
final class Uplink: Sendable {
    /// What the driver learns from the microphone's thread.
    enum Notice: Sendable {
        /// Somebody begins to speak while no connection takes the audio.
        case speech
        /// A stretch of speech that is to be measured.
        case measured(SpeechStretches.Measured)
        /// The connection takes no more audio.
        case refused(any RealtimeConnection)
    }

    /// What became of the samples, in frames.
    struct Counts: Sendable, Hashable {
        /// Handed to connections, those of a resent utterance included.
        var sent = 0
        /// Refused by connections.
        var refused = 0
        /// Captured while no connection took them and not kept for an utterance.
        var dropped = 0
        /// Silence that was left out.
        var leftOut = 0
    }

    private struct Storage {
        /// Whether the session listens; what else comes is not even remembered.
        var isCapturing = false
        var connection: (any RealtimeConnection)?
        var tape = UtteranceTape()
        var gap: GapListener?
        var gapStart: Int?
        var noticed: Int?
        var unanswered = UnansweredSpeech()
        var stretches: SpeechStretches?
        var gate: UplinkGate?
        var counts = Counts()
        var listener: (@Sendable (Notice) -> Void)?

        mutating func beginGap() {
            connection = nil
            gapStart = tape.position
            gap = nil
            noticed = nil
            unanswered.stop()
        }

        /// Hands a connection what was captured before, and then what will be.
        mutating func begin(_ connection: any RealtimeConnection, with kept: ArraySlice<Int16>) {
            endGap()
            var rest = kept
            while !rest.isEmpty {
                // A burst, which the bound of the audio lane is not meant for; the control lane goes first and keeps its order.
                let message = RealtimeCodec.inputAudioAppend(samples: rest.prefix(Uplink.resentBlock))
                guard case .accepted = connection.send(.text(message), lane: .control) else { break }
                rest = rest.dropFirst(Uplink.resentBlock)
            }
            counts.sent += kept.count - rest.count
            counts.refused += rest.count
            self.connection = connection
        }

        mutating func endGap() {
            gapStart = nil
            gap = nil
            noticed = nil
        }

        /// Sends the block that was captured last, or leaves it out as silence.
        mutating func pass(_ samples: [Int16]) -> [Notice] {
            guard let connection else { return [] }
            var audio = samples[...]
            if let isOpen = gate?.isOpen(to: tape) {
                guard isOpen else {
                    tape.leaveOut(samples.count)
                    counts.leftOut += samples.count
                    return []
                }
                audio = tape.goOn(with: samples.count, preRoll: UplinkGate.preRoll)
            }
            switch connection.send(.text(RealtimeCodec.inputAudioAppend(samples: audio)), lane: .audio) {
            case .accepted:
                counts.sent += audio.count
                return []
            case .refused:
                counts.refused += audio.count
                beginGap()
                return [.refused(connection)]
            }
        }

        /// Whether somebody has just begun to speak. Nothing is judged while an utterance is kept anyway.
        mutating func listenInGap() -> Bool {
            guard gapStart != nil, noticed == nil, !tape.isKeeping else { return false }
            if let held = tape.heldSound {
                noticed = held
                return true
            }
            var listener = gap ?? GapListener(from: tape.samples(from: 0).start)
            let isSpeech = listener.listen(to: tape)
            gap = listener
            if isSpeech { noticed = listener.soundStart }
            return isSpeech
        }
    }

    /// The audio of one resent message: 1 s, 64 KB of text.
    private static let resentBlock = RealtimeAudio.sampleRate

    private let storage = Mutex(Storage())
    /// How long audio is sent on after speech, in milliseconds; nil: silence is sent, too.
    private let gateHangoverMs: Int?

    init(gateHangoverMs: Int? = nil) { self.gateHangoverMs = gateHangoverMs }

    /// Sets who gets the notices; they come on the microphone's thread.
    func setListener(_ listener: @escaping @Sendable (Notice) -> Void) {
        storage.withLock { $0.listener = listener }
    }

    /// Sends samples on this connection from now on, after the kept utterance if it is to be sent again. Answers how many frames were
    /// dropped since the last connection.
    @discardableResult
    func start(_ connection: any RealtimeConnection, resending: Bool = false) -> Int {
        storage.withLock { storage in
            // A sound that is too short to be judged may be the beginning of speech.
            let sound = storage.gap?.soundStart ?? storage.tape.heldSound
            let kept = storage.tape.beginConnection(resending: resending, sound: sound)
            let dropped = storage.gapStart.map(storage.tape.framesNotResent(since:)) ?? 0
            storage.counts.dropped += dropped
            storage.begin(connection, with: kept)
            storage.gate = newGate(storage.tape)
            return dropped
        }
    }

    /// Sends samples on this connection from the next block on, and none on the one before it. A sound that is under way is sent here
    /// from its beginning: the provider before may have heard it already and not said so yet.
    func move(to connection: any RealtimeConnection) {
        storage.withLock { storage in
            guard storage.connection != nil else { return }
            let sound = GapListener.soundAtEnd(of: storage.tape)
            storage.begin(connection, with: storage.tape.beginConnection(resending: false, sound: sound))
            storage.gate = newGate(storage.tape)
        }
    }

    private func newGate(_ tape: UtteranceTape) -> UplinkGate? {
        gateHangoverMs.map { UplinkGate(hangoverMs: $0, at: tape.samples(from: 0).start) }
    }

    /// Sends nothing from now on: a block that is being sent has been handed over when this returns.
    func stop() {
        storage.withLock { storage in
            guard storage.connection != nil else { return }
            storage.beginGap()
        }
    }

    /// The session listens from now on.
    func beginCapture() { storage.withLock { $0.isCapturing = true } }

    /// The session does not listen any more: nothing is sent or remembered, and what was is forgotten.
    func endCapture() {
        storage.withLock { storage in
            storage.isCapturing = false
            storage.connection = nil
            storage.counts.dropped += storage.gapStart.map { storage.tape.position - $0 } ?? 0
            storage.endGap()
            storage.stretches = nil
            storage.tape.erase()
        }
    }

    /// The provider said something, whatever it was: it lives.
    func providerSpoke() { storage.withLock { $0.unanswered.providerSpoke(at: $0.tape.position) } }

    /// What became of the samples so far.
    var counts: Counts { storage.withLock { $0.counts } }

    /// Takes a captured block of samples at the realtime rate, and sends it if it is open.
    func send(_ samples: [Int16]) {
        let (notices, listener) = storage.withLock { storage -> ([Notice], (@Sendable (Notice) -> Void)?) in
            guard storage.isCapturing else { return ([], nil) }
            storage.tape.append(samples)
            let measured = storage.stretches?.listen(to: storage.tape).map(Notice.measured) ?? []
            guard storage.connection != nil else {
                return (measured + (storage.listenInGap() ? [.speech] : []), storage.listener)
            }
            storage.unanswered.listen(to: &storage.tape)
            return (measured + storage.pass(samples), storage.listener)
        }
        for notice in notices { listener?(notice) }
    }
}

// MARK: - The utterance

extension Uplink {
    /// Keeps the utterance that begins at `startMs` of the connection's audio; nil: the one of ``Notice/speech``.
    func keepUtterance(startMs: Int?) {
        storage.withLock { storage in
            if startMs == nil, let noticed = storage.noticed {
                storage.tape.keep(sound: noticed)
            } else {
                storage.tape.keep(startMs: startMs)
            }
        }
    }

    /// Forgets what was captured before this moment, but for utterances that are items.
    func forgetRecent() {
        storage.withLock { storage in
            storage.tape.forgetRecent()
            guard storage.gapStart != nil else { return }
            storage.endGap()
            storage.gapStart = storage.tape.position
        }
    }

    /// Measures the speech that has just begun, and each later stretch, until ``stopMeasuring()``.
    func measureSpeech() {
        storage.withLock { storage in
            storage.stretches = SpeechStretches(from: storage.tape.samples(from: 0).start)
        }
    }

    /// Measures no more.
    func stopMeasuring() { storage.withLock { $0.stretches = nil } }

    /// The utterance ended and became an item.
    func commitUtterance(_ itemID: String, endMs: Int?) {
        storage.withLock { $0.tape.commit(itemID, endMs: endMs) }
    }

    /// Forgets the audio of an item; nil: the utterance under way.
    func forgetUtterance(_ itemID: String?) { storage.withLock { $0.tape.forget(itemID) } }

    /// The audio of an item, if it is kept.
    func audio(of itemID: String) -> [Int16]? { storage.withLock { $0.tape.audio(of: itemID) } }
}
