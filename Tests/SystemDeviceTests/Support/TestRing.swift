import CGlassesPlugin
import CShims
import GlassesPluginKit
import Glibc
import SoundServer

/// A ring as the host makes it, with the host's side of its use.
final class TestRing: @unchecked Sendable {
    // because the header's functions synchronise the two sides by atomics; each test uses the host's side from one task
    let pointer: UnsafeMutablePointer<glasses_ring>
    let capacity: UInt32

    /// A zeroed ring of so many frames at 48 kHz.
    init(frames: UInt32 = 96_000) {
        capacity = frames
        let memory = UnsafeMutableRawPointer.allocate(byteCount: glasses_ring_bytes(frames), alignment: 64)
        memset(memory, 0, glasses_ring_bytes(frames))
        pointer = memory.bindMemory(to: glasses_ring.self, capacity: 1)
        pointer.pointee.size = UInt32(MemoryLayout<glasses_ring>.size)
        pointer.pointee.capacity = frames
        pointer.pointee.sample_rate = 48_000
        pointer.pointee.wake_fd = cshims_eventfd()
        pointer.pointee.kick_fd = cshims_eventfd()
    }

    deinit {
        close(pointer.pointee.wake_fd)
        close(pointer.pointee.kick_fd)
        UnsafeMutableRawPointer(pointer).deallocate()
    }

    /// The plugin's view.
    var view: AudioRing { AudioRing(pointer) }

    /// Frames written so far.
    var written: Int64 { glasses_ring_load(&pointer.pointee.write_position) }
    /// Over- and underruns that the plugin counted.
    var xruns: Int64 { glasses_ring_load(&pointer.pointee.xruns) }
    /// Frames that the plugin counted as lost.
    var dropped: Int64 { glasses_ring_load(&pointer.pointee.dropped) }

    /// Writes what fits and kicks; answers how many frames.
    @discardableResult
    func write(_ samples: ArraySlice<Int16>) -> Int {
        let taken = samples.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return UInt32(0) }
            return glasses_ring_write(pointer, capacity, start, UInt32(buffer.count), 0)
        }
        cshims_eventfd_signal(pointer.pointee.kick_fd)
        return Int(taken)
    }

    /// Writes all of `samples`, as fast as the ring takes them; false when it stopped taking for 10 s.
    func play(_ samples: [Int16]) async -> Bool {
        var rest = samples[...]
        while !rest.isEmpty {
            guard await eventually(within: 10, { glasses_ring_writable(pointer, capacity) > 0 }) else { return false }
            rest = rest.dropFirst(write(rest))
        }
        return true
    }

    /// Takes what the microphone wrote.
    func take() -> [Int16] {
        var samples = [Int16](repeating: 0, count: Int(glasses_ring_readable(pointer, capacity)))
        let count = samples.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return UInt32(0) }
            return glasses_ring_read(pointer, capacity, start, UInt32(buffer.count))
        }
        return Array(samples.prefix(Int(count)))
    }

    /// Collects at least `frames` frames from the microphone, or what came within `seconds`.
    func collect(_ frames: Int, within seconds: Double) async -> [Int16] {
        var samples: [Int16] = []
        _ = await eventually(within: seconds) {
            samples += take()
            return samples.count >= frames
        }
        return samples
    }

    /// What the speaker published last.
    var playback: glasses_playback {
        var playback = glasses_playback()
        while glasses_ring_playback(pointer, &playback) == 0 {}
        return playback
    }

    /// The marks that the microphone wrote, oldest first.
    var marks: [glasses_ring_mark] {
        let count = glasses_ring_load(&pointer.pointee.mark_count)
        return withUnsafePointer(to: &pointer.pointee.marks) { tuple in
            tuple.withMemoryRebound(to: glasses_ring_mark.self, capacity: Int(GLASSES_RING_MARKS)) { marks in
                (max(0, count - Int64(GLASSES_RING_MARKS))..<count).map { marks[Int($0 % Int64(GLASSES_RING_MARKS))] }
            }
        }
    }
}
