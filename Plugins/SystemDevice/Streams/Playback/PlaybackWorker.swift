import CGlassesPlugin
import GlassesPluginKit

/// Feeds a playback PCM from the host's ring. [audio]: allocates, locks and logs nothing after its creation.
///
/// While the ring is empty it plays silence, three periods ahead, so that the device never stops and what the host
/// writes next is heard early.
final class PlaybackWorker: StreamWorker {
    /// Frames that were read from the ring and that the device has not taken yet.
    private struct Held {
        var start = 0
        var count = 0
        /// The ring position of the first one.
        var position: Int64 = 0

        mutating func drop(_ frames: Int) {
            start += frames
            count -= frames
            position += Int64(frames)
        }
    }

    private let device: LeasedDevice
    private let ring: AudioRing
    private let flushes: FlushRequests
    private let reference: ReferenceTimeline?
    private let samples: UnsafeMutablePointer<Int16>
    private let silence: UnsafeMutablePointer<Int16>

    private var ledger: PlaybackLedger
    private var playback = glasses_playback()
    private var watch: ProgressWatch
    private var held = Held()
    private var room = 0
    private var hasMoved = false
    /// Whether the device was given silence since it was prepared.
    private var isPrimed = false
    private var lastSignal: Int64 = 0

    /// Periods of silence kept in the device while there is nothing to play.
    private static let silentPeriods = 3
    /// Periods of silence that a device is given first: PulseAudio's plugin loses up to a period of what comes right after a prepare.
    private static let primingPeriods = 2
    /// The longest time without a signal to the host.
    private static let signalInterval: Int64 = 100 * millisecond

    /// A worker that notes what it plays in `reference`.
    init(device: LeasedDevice, flushes: FlushRequests, reference: ReferenceTimeline? = nil) {
        self.device = device
        self.flushes = flushes
        self.reference = reference
        ring = device.ring
        samples = .allocate(capacity: device.bufferFrames)
        silence = .allocate(capacity: device.bufferFrames)
        silence.initialize(repeating: 0, count: device.bufferFrames)
        ledger = PlaybackLedger(ring: ring.readPosition)
        watch = ProgressWatch(at: monotonicNow())
    }

    deinit {
        samples.deallocate()
        silence.deallocate()
    }

    func run() throws(StreamEnding) {
        // What an earlier device of this stream published last, its flush above all.
        glasses_ring_playback(ring.pointer, &playback)
        reference?.cut(at: monotonicNow())
        while true {
            // The limit is read before the flush is looked for: what lies before it was written before any flush that is
            // not seen here, so nothing that a flush has to keep is handed to the device ahead of that flush.
            let limit = ring.writePosition
            if let flush = flushes.pending() { try carryOut(flush) }
            try fill(upTo: limit)
            try publishPosition()
            let now = monotonicNow()
            if hasMoved { watch.moved(at: now) }
            if watch.hasStalled(at: now) { throw .device(StreamFailure(.stalled)) }
            try rest()
        }
    }

    /// Hands the device what it takes, and silence if there is nothing.
    private func fill(upTo limit: Int64) throws(StreamEnding) {
        hasMoved = false
        guard try measureRoom(), try prime() else { return }
        while room > 0, loadHeld(upTo: limit) {
            switch try device.write(samples + held.start, min(held.count, room)) {
            case .frames(let count):
                ledger.wroteAudio(count, from: held.position)
                refer(samples + held.start, count)
                held.drop(count)
                took(count)
            case .nothing: return
            case .restarted:
                restarted()
                guard try prime() else { return }
            }
        }
        try padWithSilence()
    }

    /// Begins a prepared device with silence; false when it takes none yet.
    private func prime() throws(StreamEnding) -> Bool {
        if isPrimed { return true }
        let count = min(Self.primingPeriods * device.periodFrames, room)
        guard count > 0 else { return true }
        isPrimed = try writeSilence(count)
        return isPrimed
    }

    private func padWithSilence() throws(StreamEnding) {
        let queued = device.bufferFrames - room
        let missing = min(Self.silentPeriods * device.periodFrames - queued, room)
        guard held.count == 0, missing > 0 else { return }
        _ = try writeSilence(missing)
    }

    /// Whether the device took silence.
    private func writeSilence(_ frames: Int) throws(StreamEnding) -> Bool {
        switch try device.write(silence, frames) {
        case .frames(let count):
            ledger.wroteSilence(count)
            refer(silence, count)
            took(count)
            return count > 0
        case .nothing: return false
        case .restarted:
            restarted()
            return false
        }
    }

    /// Asks the device for its room; false when there is none to ask for now.
    private func measureRoom() throws(StreamEnding) -> Bool {
        switch try device.available() {
        case .frames(let count): room = min(count, device.bufferFrames)
        case .nothing:
            room = 0
            return false
        case .restarted: restarted()
        }
        return true
    }

    /// Notes what the device took for the canceller of its echo, before ``took(_:)``.
    private func refer(_ samples: UnsafePointer<Int16>, _ count: Int) {
        guard let reference else { return }
        let queued = StreamFormat.nanoseconds(frames: device.bufferFrames - room)
        reference.append(samples, count, leavingAt: monotonicNow() + queued)
    }

    private func took(_ count: Int) {
        guard count > 0 else {
            room = 0
            return
        }
        room -= count
        hasMoved = true
        device.report(.flowing)
    }

    private func restarted() {
        isPrimed = false
        ledger.ranDry()
        reference?.cut(at: monotonicNow())
        room = device.bufferFrames
    }

    /// Whether there are frames to hand over, after reading more from the ring if needed.
    private func loadHeld(upTo limit: Int64) -> Bool {
        if held.count > 0 { return true }
        let position = ring.readPosition
        let wanted = min(limit - position, Int64(room))
        guard wanted > 0 else { return false }
        let count = ring.read(into: samples, count: UInt32(wanted))
        held = Held(start: 0, count: Int(count), position: position)
        return count > 0
    }

    private func publishPosition() throws(StreamEnding) {
        let (position, time) = try measurePosition()
        let isAdvancing: UInt32 = position.isAdvancing ? 1 : 0
        let isNews = position.frame != playback.played_position || isAdvancing != playback.is_advancing
        playback.played_position = position.frame
        playback.played_t_ns = time
        playback.is_advancing = isAdvancing
        ring.publish(playback)
        // A host that waits for a position hears at least ten times a second that there is nobody stuck.
        guard isNews || time - lastSignal >= Self.signalInterval else { return }
        lastSignal = time
        ring.signal()
    }

    private func measurePosition() throws(StreamEnding) -> (PlaybackLedger.Position, Int64) {
        let delay = try device.outside { $0.delay() }
        let time = monotonicNow()
        // A device that does not tell its delay still holds what it has not made room for.
        let queued = delay >= 0 ? delay : device.bufferFrames - room
        reference?.settle(endLeavingAt: time + StreamFormat.nanoseconds(frames: queued))
        return (ledger.position(delay: queued), time)
    }

    /// Reads the position, cuts the device, leaves out what the host wants gone, and tells.
    private func carryOut(_ flush: FlushRequest) throws(StreamEnding) {
        let (position, time) = try measurePosition()
        let dropped = try device.outside { $0.drop() }
        let prepared = try device.outside { $0.prepare() }
        isPrimed = false
        reference?.cut(at: time)
        ring.skip(to: flush.upTo)
        if held.count > 0 { held.drop(Int(min(max(0, flush.upTo - held.position), Int64(held.count)))) }
        ledger.cut(next: held.count > 0 ? held.position : ring.readPosition)
        playback = glasses_playback(
            played_position: ledger.position(delay: 0).frame, played_t_ns: time, flush_id: flush.id,
            flushed_position: position.frame, flushed_t_ns: time, is_advancing: 0, reserved: 0)
        flushes.answer(flush)
        ring.publish(playback)
        ring.signal()
        watch = ProgressWatch(at: time)
        let failed = min(dropped, prepared)
        if failed < 0 { throw .device(StreamFailure(alsa: failed)) }
    }

    /// Waits for the device when it is full. Otherwise a period: a device with room would wake us at once, over and over.
    private func rest() throws(StreamEnding) {
        let isFull = room < device.periodFrames && hasMoved
        let period = device.periodTime
        try device.wait(
            isForDevice: isFull, isForKick: true, nanoseconds: isFull ? 2 * period : hasMoved ? period : period / 2)
    }
}
