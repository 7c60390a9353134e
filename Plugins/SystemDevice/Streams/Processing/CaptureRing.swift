import CGlassesPlugin
import CShims
import GlassesPluginKit
import Glibc

/// The ring between a capture thread and the processing thread: what a capture thread takes for the host's ring.
final class CaptureRing: @unchecked Sendable {
    // because the header's functions synchronise the two sides by atomics, and the reading side is one thread's
    /// One second: ten times what a busy machine keeps the processing thread waiting.
    private static let capacity = UInt32(StreamFormat.rate)

    /// The capture thread's side.
    let ring: AudioRing
    /// Signalled with each block.
    let signal = EventSignal()
    private let memory: UnsafeMutableRawPointer
    private var nextMark: Int64 = 0
    private var mark = glasses_ring_mark()
    private var seenXruns: Int64 = 0
    private var seenDropped: Int64 = 0

    init() {
        let bytes = glasses_ring_bytes(Self.capacity)
        memory = .allocate(byteCount: bytes, alignment: 64)
        memset(memory, 0, bytes)
        let header = memory.bindMemory(to: glasses_ring.self, capacity: 1)
        header.pointee.size = UInt32(MemoryLayout<glasses_ring>.size)
        header.pointee.capacity = Self.capacity
        header.pointee.sample_rate = UInt32(StreamFormat.rate)
        header.pointee.wake_fd = signal.descriptor
        header.pointee.kick_fd = -1
        ring = AudioRing(header)
    }

    deinit { memory.deallocate() }

    // MARK: The processing thread's side

    /// Samples that wait.
    var waiting: Int { Int(ring.readableFrames) }

    /// Takes a whole frame; answers when its first sample was captured, or nil when there is no whole frame.
    func take(_ frame: UnsafeMutablePointer<Int16>) -> Int64? {
        guard waiting >= frameLength else { return nil }
        let position = ring.readPosition
        findMark(before: position)
        guard ring.read(into: frame, count: UInt32(frameLength)) == frameLength else { return nil }
        return mark.t_ns + StreamFormat.nanoseconds(frames: Int(position - mark.frame))
    }

    /// Leaves out the oldest samples but `count`; answers how many.
    func dropOldest(keeping count: Int) -> Int {
        let extra = waiting - count
        guard extra > 0 else { return 0 }
        ring.skip(to: ring.readPosition + Int64(extra))
        return extra
    }

    /// Over- and underruns, and samples that found no room, since the last call.
    func takeLosses() -> (xruns: Int64, dropped: Int64) {
        let xruns = glasses_ring_load(&ring.pointer.pointee.xruns)
        let dropped = glasses_ring_load(&ring.pointer.pointee.dropped)
        defer { (seenXruns, seenDropped) = (xruns, dropped) }
        return (xruns - seenXruns, dropped - seenDropped)
    }

    /// Finds the newest mark at or before `position`. A ring of a second holds fewer blocks than there are marks.
    private func findMark(before position: Int64) {
        var candidate = glasses_ring_mark()
        while glasses_ring_get_mark(ring.pointer, nextMark, &candidate) == 1, candidate.frame <= position {
            mark = candidate
            nextMark += 1
        }
    }
}
