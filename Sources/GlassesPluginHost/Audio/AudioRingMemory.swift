import CGlassesPlugin
import CShims
import Glibc

/// One audio ring in sealed shared memory, and its two eventfds, owned by the host.
///
/// The plugin writes into the same memory, in this process or in a child, so nothing in it is believed: the capacity is the
/// host's own copy, and every index is taken from it.
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
    /// The memory, for a child.
    let memoryDescriptor: Int32

    /// A ring of `capacity` frames; nil when memory or descriptors are used up.
    init?(capacity: UInt32, sampleRate: Int) {
        let (wake, kick, memory) = (cshims_eventfd(), cshims_eventfd(), cshims_memory_file("glasses-ring"))
        let descriptors = [wake, kick, memory]
        guard descriptors.allSatisfy({ $0 >= 0 }),
            let raw = SealedMemory.map(memory, bytes: glasses_ring_bytes(capacity))
        else {
            for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
            return nil
        }
        pointer = raw.bindMemory(to: glasses_ring.self, capacity: 1)
        self.capacity = capacity
        self.sampleRate = sampleRate
        wakeDescriptor = wake
        kickDescriptor = kick
        memoryDescriptor = memory
        writeHeader()
    }

    private func writeHeader() {
        pointer.pointee.size = UInt32(MemoryLayout<glasses_ring>.size)
        pointer.pointee.capacity = capacity
        pointer.pointee.sample_rate = UInt32(sampleRate)
        pointer.pointee.wake_fd = wakeDescriptor
        pointer.pointee.kick_fd = kickDescriptor
    }

    deinit {
        munmap(pointer, glasses_ring_bytes(capacity))
        for descriptor in [wakeDescriptor, kickDescriptor, memoryDescriptor] { close(descriptor) }
    }

    /// Begins the ring anew for a plugin that was started again, with nothing in it but `samples`. Only while no plugin uses it.
    func restart(holding samples: [Int16] = []) {
        memset(pointer, 0, MemoryLayout<glasses_ring>.size)
        writeHeader()
        _ = cshims_eventfd_drain(wakeDescriptor)
        _ = cshims_eventfd_drain(kickDescriptor)
        _ = write(samples[...])
    }

    /// The `count` frames before position `end`, which the writer knows to be there.
    func frames(_ count: Int, before end: Int64) -> [Int16] {
        let room = UInt64(capacity)
        let start = UInt64(bitPattern: end) &- UInt64(count)
        let samples = glasses_ring_samples(pointer)
        return (0..<UInt64(count)).map { samples[Int((start &+ $0) % room)] }
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
    /// Does to the header what a plugin can do: anything.
    func overwriteHead(with bytes: [UInt8]) {
        let head = UnsafeMutableRawBufferPointer(start: pointer, count: MemoryLayout<glasses_ring>.size)
        for (index, byte) in bytes.prefix(head.count).enumerated() { head[index] = byte }
    }

    /// Marks that a ring keeps.
    static let markCapacity = Int64(GLASSES_RING_MARKS)
}
