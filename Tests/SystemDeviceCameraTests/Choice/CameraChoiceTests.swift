import GlassesPluginKit
import Testing

@testable import SystemDeviceCamera

@Suite("The setting camera")
struct CameraChoiceTests {
    @Test(
        "Each text means one thing",
        arguments: [
            (nil, .automatic), ("auto", .automatic), ("none", .none), ("pattern", .pattern),
            ("file:/pictures", .pictures(path: "/pictures")), ("/dev/video2", .named("/dev/video2")),
            ("usb-1 Front", .named("usb-1 Front")),
        ] as [(String?, CameraChoice)])
    func reads(_ row: (String?, CameraChoice)) throws { #expect(try CameraChoice(row.0) == row.1) }

    @Test("What is no camera is refused", arguments: ["", "file:", "file:pictures", "a\0b"])
    func refuses(_ text: String) {
        let failure = #expect(throws: PluginFailure.self) { try CameraChoice(text) }
        #expect(failure?.code == "invalid_settings")
    }

    private static let usable = V4L2Camera(
        name: "Front", model: "Front", path: "/dev/video1",
        modes: [V4L2Mode(pixels: 0x5659_5559, width: 64, height: 48, intervals: [30: V4L2Interval(1, 30)])],
        problem: nil)
    private static let denied = V4L2Camera(
        name: "/dev/video0", model: "/dev/video0", path: "/dev/video0", modes: [], problem: .cameraDenied("/dev/video0")
    )

    @Test("auto takes the first camera that can be used, and none is no failure")
    func automatic() throws {
        #expect(try CameraChoice.automatic.source(among: [])?.name == nil)
        #expect(try CameraChoice.automatic.source(among: [Self.denied])?.name == nil)
        #expect(try CameraChoice.automatic.source(among: [Self.denied, Self.usable])?.name == "Front")
        #expect(try CameraChoice.none.source(among: [Self.usable])?.name == nil)
    }

    @Test(
        "A camera that was asked for by name and cannot be used is a failure",
        arguments: [("Back", "camera_not_found"), ("/dev/video0", "camera_denied")])
    func named(_ row: (String, String)) throws {
        #expect(try CameraChoice.named("Front").source(among: [Self.denied, Self.usable])?.name == "Front")
        let failure = #expect(throws: PluginFailure.self) {
            _ = try CameraChoice.named(row.0).source(among: [Self.denied, Self.usable])
        }
        #expect(failure?.code == row.1)
    }
}
