import CGlassesPlugin
import Foundation
import Testing

@testable import GlassesPluginHost

@Suite("The audio ring")
struct AudioRingTests {
    private func ring(_ capacity: UInt32) throws -> AudioRingMemory {
        try #require(AudioRingMemory(capacity: capacity, sampleRate: 16_000))
    }

    @Test(
        "Frames come out as they went in, over many turns of the ring and at any block size",
        arguments: [1, 3, 7, 64, 100])
    func wraps(_ block: Int) throws {
        let ring = try ring(100)
        var (sent, received): (Int16, [Int16]) = (0, [])
        while received.count < 1_000 {
            let samples = (0..<block).map { Int16(truncatingIfNeeded: Int(sent) + $0) }
            sent += Int16(ring.write(samples[...]))
            received += ring.read(block * 2 / 3 + 1)
        }
        #expect(received == (0..<received.count).map { Int16($0) })
    }

    @Test("A full ring takes nothing more and loses nothing")
    func isBounded() throws {
        let ring = try ring(10)
        #expect(ring.write(Array(repeating: 1, count: 25)[...]) == 10)
        #expect(ring.write([2][...]) == 0)
        #expect(ring.writableFrames == 0)
        #expect(ring.read(4) == [1, 1, 1, 1])
        #expect(ring.write([2, 3, 4, 5, 6][...]) == 4)
        #expect(ring.read(100) == [1, 1, 1, 1, 1, 1, 2, 3, 4, 5])
    }

    @Test(
        "Positions that a hostile plugin wrote never lead outside the ring",
        arguments: [0, 1, -1, 10, 11, 1_000_000, Int64.max, Int64.max - 3, Int64.min, Int64.min + 5])
    func survivesHostilePositions(_ position: Int64) throws {
        for other in [0, 7, -7, position, Int64.max, Int64.min] {
            let ring = try ring(10)
            ring.pointer.pointee.write_position = position
            ring.pointer.pointee.read_position = other
            ring.pointer.pointee.capacity = .max
            #expect((0...10).contains(ring.readableFrames))
            #expect((0...10).contains(ring.writableFrames))
            #expect(ring.read(1_000_000).count <= 10)
            #expect((0...10).contains(ring.write(Array(repeating: 1, count: 50)[...])))
            glasses_ring_skip(ring.pointer, other)
            #expect(ring.mark(position) == nil)
        }
    }

    @Test("A mark is readable until 255 newer ones came")
    func keepsMarks() throws {
        let ring = try ring(1_000)
        var sample: Int16 = 1
        for index in 0..<300 {
            #expect(glasses_ring_write(ring.pointer, ring.capacity, &sample, 1, Int64(index + 1) * 10) == 1)
            #expect(ring.read(1) == [1])
        }
        #expect(ring.markCount == 300)
        #expect(ring.mark(299).map { [$0.frame, $0.t_ns] } == [299, 3_000])
        #expect(ring.mark(45).map { [$0.frame, $0.t_ns] } == [45, 460])
        #expect(ring.mark(44) == nil)
        #expect(ring.mark(300) == nil)
    }

    @Test("A playback report is read whole while it is rewritten without end")
    func readsPlaybackWhole() async throws {
        let ring = try ring(10)
        let writer = Task.detached {
            for index in 1...200_000 as ClosedRange<Int64> {
                var playback = glasses_playback(
                    played_position: index, played_t_ns: index, flush_id: UInt64(index), flushed_position: index,
                    flushed_t_ns: index, is_advancing: UInt32(index & 1), reserved: 0)
                glasses_ring_publish(ring.pointer, &playback)
            }
        }
        var last: Int64 = 0
        while last < 200_000 {
            guard let playback = ring.playback() else { continue }
            let all = [
                playback.played_t_ns, Int64(playback.flush_id), playback.flushed_position, playback.flushed_t_ns,
            ]
            #expect(all.allSatisfy { $0 == playback.played_position })
            #expect(playback.played_position >= last)
            last = playback.played_position
        }
        await writer.value
    }

    @Test("One writer and one reader on two threads pass a million frames unchanged")
    func passesFramesBetweenThreads() async throws {
        let ring = try ring(997)
        let total = 1_000_000
        let writer = Task.detached {
            var sent = 0
            while sent < total {
                let block = (sent..<min(sent + 160, total)).map { Int16(truncatingIfNeeded: $0) }
                let taken = ring.write(block[...])
                if taken == 0 { await Task.yield() }
                sent += taken
            }
        }
        var received = 0
        var wrong = 0
        while received < total {
            let block = ring.read(200)
            if block.isEmpty { await Task.yield() }
            for sample in block {
                if sample != Int16(truncatingIfNeeded: received) { wrong += 1 }
                received += 1
            }
        }
        await writer.value
        #expect(wrong == 0)
        #expect(ring.readableFrames == 0)
    }
}
