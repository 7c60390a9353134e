import CGlassesPlugin
import Foundation
import Testing

/// A video ring in memory of its own, as the host makes one.
private final class TestVideoRing {
    static let slotBytes: UInt32 = 64
    let pointer: UnsafeMutablePointer<glasses_video_ring>

    init() {
        let bytes = glasses_video_ring_bytes(Self.slotBytes)
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        memset(raw, 0, bytes)
        pointer = raw.bindMemory(to: glasses_video_ring.self, capacity: 1)
    }

    deinit { UnsafeMutableRawPointer(pointer).deallocate() }

    /// Writes a frame whose one byte is its number; false when there is no slot.
    func write(_ number: UInt64) -> Bool {
        let slot = glasses_video_ring_begin(pointer)
        guard slot >= 0 else { return false }
        glasses_video_ring_data(pointer, Self.slotBytes, UInt32(slot)).pointee = UInt8(truncatingIfNeeded: number)
        var frame = glasses_frame()
        frame.number = number
        glasses_video_ring_commit(pointer, UInt32(slot), &frame)
        return true
    }

    /// Takes the oldest frame and keeps its slot.
    func take() -> (slot: Int32, number: UInt64, byte: UInt8)? {
        var frame = glasses_frame()
        let slot = glasses_video_ring_take(pointer, &frame)
        guard slot >= 0 else { return nil }
        return (slot, frame.number, glasses_video_ring_data(pointer, Self.slotBytes, UInt32(slot)).pointee)
    }

    func read() -> UInt64? {
        guard let (slot, number, byte) = take() else { return nil }
        #expect(byte == UInt8(truncatingIfNeeded: number))
        glasses_video_ring_release(pointer, UInt32(slot))
        return number
    }

    var dropped: Int64 { glasses_ring_load(&pointer.pointee.dropped) }
}

@Suite("The video ring")
struct VideoRingTests {
    @Test("Frames come out in the order in which they went in, over many turns")
    func keepsOrder() {
        let ring = TestVideoRing()
        for number in 0..<1_000 as Range<UInt64> {
            #expect(ring.write(number))
            if number % 3 == 2 { for back in (0...2).reversed() { #expect(ring.read() == number - UInt64(back)) } }
        }
        #expect(ring.read() == 999)
        #expect(ring.read() == nil)
        #expect(ring.dropped == 0)
    }

    @Test("Nobody reads: the oldest frames give way to the newest, and are counted")
    func dropsTheOldest() {
        let ring = TestVideoRing()
        for number in 1...20 as ClosedRange<UInt64> { #expect(ring.write(number)) }
        #expect(ring.dropped == 12)
        #expect((0..<8).compactMap { _ in ring.read() } == Array(13...20))
        #expect(ring.read() == nil)
    }

    @Test("The host reads every slot: a new frame is lost and counted, and the next one after a release is kept")
    func neverOverwritesWhatIsRead() throws {
        let ring = TestVideoRing()
        for number in 1...8 as ClosedRange<UInt64> { #expect(ring.write(number)) }
        let taken = (0..<8).compactMap { _ in ring.take() }
        #expect(taken.map(\.number) == Array(1...8))
        #expect(!ring.write(9))
        #expect(ring.dropped == 1)
        glasses_video_ring_release(ring.pointer, UInt32(taken[4].slot))
        #expect(ring.write(10))
        #expect(ring.read() == 10)
    }

    @Test("A writer and a reader on threads of their own: every frame that arrives is whole, and in order")
    func isSafeBetweenThreads() async {
        let ring = TestVideoRing()
        nonisolated(unsafe) let shared = ring  // because the ring is made for one writer and one reader
        let count: UInt64 = 50_000
        async let seen = onThread { () -> [UInt64] in
            var seen: [UInt64] = []
            while seen.last != count { if let number = shared.read() { seen.append(number) } }
            return seen
        }
        await onThread { for number in 1...count { _ = shared.write(number) } }
        let numbers = await seen
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(UInt64(numbers.count) + UInt64(ring.dropped) == count)
    }

    @Test("A header full of nonsense never leads outside the slots", arguments: 0..<200)
    func survivesNonsense(_ seed: Int) {
        let ring = TestVideoRing()
        var random = SystemRandomNumberGenerator()
        for index in 0..<MemoryLayout<glasses_video_ring>.size {
            UnsafeMutableRawPointer(ring.pointer).storeBytes(of: random.next(), toByteOffset: index, as: UInt8.self)
        }
        for _ in 0..<20 {
            if let (slot, _, _) = ring.take() {
                #expect((0..<Int32(GLASSES_VIDEO_SLOTS)).contains(slot))
                glasses_video_ring_release(ring.pointer, UInt32(slot))
            }
            let begun = glasses_video_ring_begin(ring.pointer)
            #expect((-1..<Int32(GLASSES_VIDEO_SLOTS)).contains(begun))
            if begun >= 0 { glasses_video_ring_abandon(ring.pointer, UInt32(begun)) }
        }
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}

@Suite("A frame's claims")
struct FrameTests {
    private static let slotBytes: UInt32 = 640 * 480 * 2

    private static func i420(_ width: UInt32 = 640, _ height: UInt32 = 480, stride: UInt32? = nil) -> glasses_frame {
        let stride = stride ?? width
        let luma = stride &* height
        var frame = glasses_frame()
        frame.t_ns = 1
        frame.format = glasses_pixel_format(GLASSES_PIXELS_I420)
        (frame.width, frame.height) = (width, height)
        frame.plane_count = 3
        frame.bytes = luma &+ luma / 2
        frame.planes.0 = glasses_plane(offset: 0, stride: stride)
        frame.planes.1 = glasses_plane(offset: luma, stride: stride / 2)
        frame.planes.2 = glasses_plane(offset: luma &+ luma / 4, stride: stride / 2)
        return frame
    }

    private func isValid(_ frame: glasses_frame) -> Bool {
        var frame = frame
        return glasses_frame_is_valid(&frame, Self.slotBytes) != 0
    }

    @Test("True ones pass: packed, padded, every format")
    func acceptsTrueClaims() {
        #expect(isValid(Self.i420()))
        #expect(isValid(Self.i420(600, 400, stride: 640)))
        var nv12 = Self.i420()
        nv12.format = glasses_pixel_format(GLASSES_PIXELS_NV12)
        nv12.plane_count = 2
        nv12.planes.1.stride = 640
        #expect(isValid(nv12))
        var yuyv = Self.i420()
        yuyv.format = glasses_pixel_format(GLASSES_PIXELS_YUYV)
        (yuyv.plane_count, yuyv.bytes, yuyv.planes.0.stride) = (1, Self.slotBytes, 1_280)
        #expect(isValid(yuyv))
        var jpeg = Self.i420()
        jpeg.format = glasses_pixel_format(GLASSES_PIXELS_JPEG)
        (jpeg.plane_count, jpeg.bytes) = (1, 700)
        #expect(isValid(jpeg))
    }

    private static let lies: [(String, @Sendable (inout glasses_frame) -> Void)] = [
        ("an unknown format", { $0.format = 99 }), ("no format", { $0.format = 0 }),
        ("a missing plane", { $0.plane_count = 2 }), ("a plane too many", { $0.plane_count = 4 }),
        ("no width", { $0.width = 0 }), ("no height", { $0.height = 0 }), ("an odd width", { $0.width = 639 }),
        ("an odd height", { $0.height = 479 }), ("a giant", { ($0.width, $0.height) = (65_536, 65_536) }),
        ("a skew angle", { $0.rotation = 45 }), ("more than a turn", { $0.rotation = 360 }),
        ("no bytes", { $0.bytes = 0 }), ("more bytes than a slot", { $0.bytes = slotBytes + 1 }),
        ("no time", { $0.t_ns = 0 }), ("a time before the machine's start", { $0.t_ns = -5 }),
        ("a stride below the width", { $0.planes.0.stride = 320 }),
        ("a chroma stride below half the width", { $0.planes.2.stride = 319 }),
        ("a plane beyond its bytes", { $0.planes.2.offset += 1 }),
        ("an offset that wraps", { $0.planes.1.offset = .max }), ("a stride that wraps", { $0.planes.0.stride = .max }),
        ("bytes that end before the last plane", { $0.bytes -= 1 }),
    ]

    @Test("Lies are refused", arguments: lies.indices)
    func refusesLies(_ index: Int) {
        var frame = Self.i420()
        Self.lies[index].1(&frame)
        #expect(!isValid(frame), "\(Self.lies[index].0)")
    }
}
