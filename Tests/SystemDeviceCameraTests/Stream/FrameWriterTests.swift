import CGlassesPlugin
import GlassesPluginKit
import Synchronization
import SystemDeviceStreams
import Testing

@testable import SystemDeviceCamera

@Suite("The way of pictures into the ring")
struct FrameWriterTests {
    private static func fill(_ slot: UnsafeMutableRawBufferPointer) -> glasses_frame? {
        glasses_frame(jpegOf: 4, width: 2, height: 2)
    }

    @Test("A time that jumps back, or lies ahead, is not believed, and times still grow")
    func times() throws {
        let ring = TestVideoRing(slotBytes: 64)
        let writer = FrameWriter(ring.ring) {}
        let start = monotonicNow()
        let told = [
            start - 5 * millisecond, start - 4 * millisecond, start - 5_000 * millisecond, start + 60_000 * millisecond,
            0,
        ]
        for (number, time) in told.enumerated() { #expect(writer.write(number: UInt64(number), time: time, Self.fill)) }
        let end = monotonicNow()
        let times = (0..<told.count).compactMap { _ in ring.take()?.t_ns }
        #expect(times.prefix(2) == told.prefix(2))
        #expect(times.count == told.count)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times.allSatisfy { $0 <= end + 10 })
    }

    @Test("Numbers that are skipped count as lost, pictures that cannot be copied as broken")
    func counts() {
        let ring = TestVideoRing(slotBytes: 64)
        let writer = FrameWriter(ring.ring) {}
        for number in [0, 1, 5] as [UInt64] { #expect(writer.write(number: number, time: 0, Self.fill)) }
        #expect(writer.write(number: 6, time: 0) { _ in nil })
        writer.countBroken()
        #expect(writer.counts == FrameWriter.Counts(written: 3, lost: 3, broken: 2))
        #expect((0..<4).map { _ in ring.take()?.number } == [0, 1, 5, nil])
    }

    @Test("The first picture is told once, and after the close nothing is written")
    func closes() {
        let ring = TestVideoRing(slotBytes: 64)
        let firsts = Atomic(0)
        let writer = FrameWriter(ring.ring) { firsts.add(1, ordering: .relaxed) }
        #expect(writer.write(number: 0, time: 0) { _ in nil })
        #expect(firsts.load(ordering: .relaxed) == 0)
        for number in 1...3 as ClosedRange<UInt64> { #expect(writer.write(number: number, time: 0, Self.fill)) }
        #expect(firsts.load(ordering: .relaxed) == 1)
        writer.close()
        #expect(!writer.write(number: 4, time: 0, Self.fill))
        #expect((0..<4).map { _ in ring.take()?.number } == [1, 2, 3, nil])
    }
}
