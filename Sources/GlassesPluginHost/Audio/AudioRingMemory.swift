import CGlassesPlugin
import CShims
import Glibc

/// One audio ring and its two eventfds, owned by the host.
///
/// The plugin writes into the same memory, so nothing in it is believed: the capacity is the host's own copy, and every
/// index is taken from it.
final class AudioRingMemory: @unchecked Sendable {
    // because the header's functions synchronise one writer and one reader by atomics
    let pointer: UnsafeMutablePointer<glasses_ring>
    /// Frames that fit.
    let capacity: UInt32
    /// Frames per second.
    let sampleRate: Int
    /// Signalled by the plugin.
    let wakeDescriptor: Int32
    /// Signalled by the host.
    let kickDescriptor: Int32

    /// A ring of `capacity` frames; nil when memory or descriptors are used up.
    init?(capacity: UInt32, sampleRate: Int) {
        let bytes = glasses_ring_bytes(capacity)
        var raw: UnsafeMutableRawPointer?
        guard posix_memalign(&raw, 64, bytes) == 0, let raw else { return nil }
        let (wake, kick) = (cshims_eventfd(), cshims_eventfd())
        guard wake >= 0, kick >= 0 else {
            free(raw)
            if wake >= 0 { close(wake) }
            if kick >= 0 { close(kick) }
            return nil
        }
        memset(raw, 0, bytes)
        pointer = raw.bindMemory(to: glasses_ring.self, capacity: 1)
        self.capacity = capacity
        self.sampleRate = sampleRate
        wakeDescriptor = wake
        kickDescriptor = kick
        pointer.pointee.size = UInt32(MemoryLayout<glasses_ring>.size)
        pointer.pointee.capacity = capacity
        pointer.pointee.sample_rate = UInt32(sampleRate)
        pointer.pointee.wake_fd = wake
        pointer.pointee.kick_fd = kick
    }

    deinit {
        free(pointer)
        close(wakeDescriptor)
        close(kickDescriptor)
    }

    /// Leaves the memory to the plugin for good: one that did not answer its stop may still write there.
    func abandon() { _ = Unmanaged.passRetained(self) }

    var readableFrames: Int { Int(glasses_ring_readable(pointer, capacity)) }
    var writableFrames: Int { Int(glasses_ring_writable(pointer, capacity)) }

    /// What the stream lost so far, for the log; nil when it lost nothing.
    var losses: String? {
        let dropped = glasses_ring_load(&pointer.pointee.dropped)
        let xruns = glasses_ring_load(&pointer.pointee.xruns)
        return dropped == 0 && xruns == 0 ? nil : "\(dropped) frames dropped, \(xruns) times over- or underrun"
    }

    /// Reads up to `count` frames.
    func read(_ count: Int) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            filled = Int(glasses_ring_read(pointer, capacity, start, UInt32(count)))
        }
    }

    /// Writes as many frames as fit, tells the plugin, and returns how many.
    func write(_ samples: ArraySlice<Int16>) -> Int {
        let taken = samples.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            let count = UInt32(min(buffer.count, Int(capacity)))
            return Int(glasses_ring_write(pointer, capacity, start, count, 0))
        }
        if taken > 0 { cshims_eventfd_signal(kickDescriptor) }
        return taken
    }

    /// The time mark number `index`; nil when it was not written yet or is overwritten.
    func mark(_ index: Int64) -> glasses_ring_mark? {
        var mark = glasses_ring_mark()
        return glasses_ring_get_mark(pointer, index, &mark) != 0 ? mark : nil
    }

    /// Marks written so far.
    var markCount: Int64 { glasses_ring_load(&pointer.pointee.mark_count) }

    /// What the loudspeaker published last; nil while it is being written.
    func playback() -> glasses_playback? {
        var playback = glasses_playback()
        return glasses_ring_playback(pointer, &playback) != 0 ? playback : nil
    }
}

extension AudioRingMemory {
    /// Marks that a ring keeps.
    static let markCapacity = Int64(GLASSES_RING_MARKS)
}
