public import CGlassesPlugin
import Glibc

/// One audio ring of the host, seen from the plugin. Every member is free of locks and allocations unless it says otherwise.
///
/// Valid from the `start…` call that handed it over until the completion of the stop. A microphone writes
/// (``write(_:count:time:)``), a loudspeaker reads, skips and publishes; each side belongs to one [audio] thread.
public struct AudioRing: @unchecked Sendable {
    // because the header's functions synchronise one writer and one reader by atomics; nothing else is mutable.
    /// The ring in shared memory, owned by the host.
    public let pointer: UnsafeMutablePointer<glasses_ring>
    /// Frames that fit.
    public let capacity: UInt32
    /// Frames per second.
    public let sampleRate: UInt32

    /// The ring at `pointer`, whose constants are copied once.
    public init(_ pointer: UnsafeMutablePointer<glasses_ring>) {
        self.pointer = pointer
        capacity = pointer.pointee.capacity
        sampleRate = pointer.pointee.sample_rate
    }

    /// Frames that can be read now. [any]
    public var readableFrames: UInt32 { glasses_ring_readable(pointer, capacity) }
    /// Frames that can be written now. [any]
    public var writableFrames: UInt32 { glasses_ring_writable(pointer, capacity) }
    /// The position of the next frame to be read. [any]
    public var readPosition: Int64 { glasses_ring_load(&pointer.pointee.read_position) }
    /// The position of the next frame to be written. [any]
    public var writePosition: Int64 { glasses_ring_load(&pointer.pointee.write_position) }
    /// The eventfd that the host signals after it wrote or flushed: poll it together with the device. [audio]
    public var kickDescriptor: Int32 { pointer.pointee.kick_fd }

    /// Writes as many of `count` frames as fit and returns how many; the rest is counted as dropped. `time` is the
    /// CLOCK_MONOTONIC moment of the first frame in nanoseconds. Call ``signal()`` after each block. [audio]
    @discardableResult
    public func write(_ samples: UnsafePointer<Int16>, count: UInt32, time: Int64) -> UInt32 {
        let taken = glasses_ring_write(pointer, capacity, samples, count, time)
        if taken < count { glasses_ring_add(&pointer.pointee.dropped, Int64(count - taken)) }
        return taken
    }

    /// Reads up to `count` frames into `samples` and returns how many. [audio]
    public func read(into samples: UnsafeMutablePointer<Int16>, count: UInt32) -> UInt32 {
        glasses_ring_read(pointer, capacity, samples, count)
    }

    /// Leaves out every frame before `position` that was not read yet. [audio]
    public func skip(to position: Int64) { glasses_ring_skip(pointer, position) }

    /// Publishes which frame is leaving the loudspeaker; call ``signal()`` afterwards. [audio]
    public func publish(_ playback: glasses_playback) {
        var copy = playback
        glasses_ring_publish(pointer, &copy)
    }

    /// Counts an over- or underrun of the device. [audio]
    public func countXrun() { glasses_ring_add(&pointer.pointee.xruns, 1) }

    /// Wakes the host's reader. Never blocks: a full counter already wakes it. [audio]
    public func signal() {
        var one: UInt64 = 1
        while write8(pointer.pointee.wake_fd, &one) < 0 && errno == EINTR {}
    }

    /// Sets the kick eventfd back after a poll returned for it. Never blocks. [audio]
    public func drainKick() {
        var count: UInt64 = 0
        while Glibc.read(pointer.pointee.kick_fd, &count, MemoryLayout<UInt64>.size) < 0 && errno == EINTR {}
    }

    private func write8(_ descriptor: Int32, _ value: inout UInt64) -> Int {
        Glibc.write(descriptor, &value, MemoryLayout<UInt64>.size)
    }
}
