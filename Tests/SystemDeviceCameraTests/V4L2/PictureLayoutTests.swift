import CGlassesPlugin
import CVideo4Linux
import GlassesPluginKit
import Testing

@testable import SystemDeviceCamera

@Suite("How a driver's pictures are copied")
struct PictureLayoutTests {
    private static func made(_ pixels: UInt32, _ stride: UInt32) -> cv4l_format {
        cv4l_format(pixels: pixels, width: 4, height: 2, stride: stride, bytes: 0)
    }

    private static func wanted(_ format: PixelFormat) -> CameraConfiguration {
        CameraConfiguration(format: format, width: 4, height: 2, frameRate: 30)
    }

    @Test(
        "Gaps between rows are left out, and every plane lies where the frame says",
        arguments: [
            (PixelFormat.yuyv, CV4L_YUYV, 10, [0...7, 10...17], [0]),
            (.nv12, CV4L_NV12, 6, [0...3, 6...9, 12...15], [0, 8]),
            (.i420, CV4L_I420, 6, [0...3, 6...9, 12...13, 15...16], [0, 8, 10]),
            (.i420, CV4L_I420, 0, [0...3, 4...7, 8...9, 10...11], [0, 8, 10]),
        ] as [(PixelFormat, UInt32, UInt32, [ClosedRange<UInt8>], [UInt32])])
    func copies(_ row: (PixelFormat, UInt32, UInt32, [ClosedRange<UInt8>], [UInt32])) throws {
        let layout = try #require(PictureLayout(Self.made(row.1, row.2), Self.wanted(row.0)))
        let picture = (0..<32).map { UInt8($0) }
        var slot = [UInt8](repeating: 255, count: 64)
        var frame = try #require(
            picture.withUnsafeBytes { from in slot.withUnsafeMutableBytes { layout.copy(from, to: $0) } })
        frame.t_ns = 1
        #expect(glasses_frame_is_valid(&frame, 64) == 1)
        let expected = row.3.flatMap { Array($0) }
        #expect(Array(slot.prefix(expected.count)) == expected)
        #expect(Int(frame.bytes) == expected.count)
        #expect(slot[Int(frame.bytes)] == 255)
        let offsets = [frame.planes.0.offset, frame.planes.1.offset, frame.planes.2.offset]
        #expect(Array(offsets.prefix(Int(frame.plane_count))) == row.4)
    }

    @Test("A picture that is shorter than its format, or longer than the slot, is none")
    func refusesWrongLengths() throws {
        let layout = try #require(PictureLayout(Self.made(CV4L_NV12, 4), Self.wanted(.nv12)))
        let picture = [UInt8](repeating: 1, count: 12)
        for (bytes, room, isWhole) in [(12, 12, true), (11, 12, false), (12, 11, false), (0, 12, false)] {
            var slot = [UInt8](repeating: 0, count: room)
            let frame = picture.prefix(bytes).withUnsafeBytes { from in
                slot.withUnsafeMutableBytes { layout.copy(from, to: $0) }
            }
            #expect((frame != nil) == isWhole)
        }
    }

    @Test("What is not the wanted format has no layout")
    func refusesOtherFormats() {
        var narrow = Self.made(CV4L_NV12, 4)
        narrow.width = 2
        for other in [Self.made(CV4L_YUYV, 8), Self.made(CV4L_NV12, 3), narrow] {
            let hasLayout = PictureLayout(other, Self.wanted(.nv12)) != nil
            #expect(!hasLayout)
        }
    }
}
