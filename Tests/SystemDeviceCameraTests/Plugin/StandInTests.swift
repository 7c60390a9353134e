import GlassesPluginHost
import Testing

@Suite("Cameras of Video4Linux, through the whole host")
struct StandInTests {
    private static let every =
        "0 card=Front bus=usb-1 formats=MJPG:640x480@100+15,YUYV:128x96@100,NV12:320x240@100,YU12:320x240@100 pad=32"

    @Test(
        "Every format and size is offered with its rates, and each picture shows its number",
        arguments: PluginIsolation.both)
    func everyFormat(_ isolation: PluginIsolation) async throws {
        let lines = try await CameraStandIn(script: Self.every, isolation: isolation).run(
            "cameras", "modes", "open:jpeg:640x480@15:5", "open:yuyv:128x96@100:20", "open:nv12:320x240@100:20",
            "open:i420:320x240@100:20")
        #expect(lines.news.first == "camera usb-1 Front code=")
        #expect(lines.modes("jpeg") == ["640x480@100", "640x480@15"])
        #expect(lines.modes("yuyv") == ["128x96@100"])
        #expect(lines.news.count { $0 == "opened" } == 4)
        for (format, size) in [("jpeg", "640x480"), ("yuyv", "128x96"), ("nv12", "320x240"), ("i420", "320x240")] {
            let shown = lines.frames.filter { $0.format == format }
            #expect(shown.count >= 5)
            #expect(shown.allSatisfy { $0.shown == $0.number && $0.size == size }, "\(format): \(shown)")
        }
        #expect(!lines.all.contains { $0.hasPrefix("misbehaved") })
    }

    @Test("Of 300 pictures each shows its number", arguments: PluginIsolation.both)
    func manyPictures(_ isolation: PluginIsolation) async throws {
        let lines = try await CameraStandIn(script: Self.every, isolation: isolation).run("open:i420:320x240@100:300")
        #expect(lines.frames.count >= 300)
        lines.expectOrder()
    }

    @Test("A camera that scales freely offers the usual sizes and rates", arguments: PluginIsolation.both)
    func stepwise(_ isolation: PluginIsolation) async throws {
        let lines = try await CameraStandIn(script: "0 card=Free bus=pci formats=NV12:*", isolation: isolation).run(
            "modes", "open:nv12:504x896@24:5")
        #expect(lines.modes("nv12").contains("720x1280@30"))
        #expect(lines.modes("nv12").contains("360x640@2"))
        #expect(lines.frames.count >= 5)
        lines.expectOrder()
    }

    @Test("A driver that does not tell its rate is offered with 30", arguments: PluginIsolation.both)
    func withoutRates(_ isolation: PluginIsolation) async throws {
        let lines = try await CameraStandIn(
            script: "0 card=Old bus=usb-1 formats=YUYV:64x64@10 stepless", isolation: isolation
        ).run("modes", "open:yuyv:64x64@30:3")
        #expect(lines.modes("yuyv") == ["64x64@30"])
        #expect(lines.frames.count >= 3)
    }

    private static let several = """
        0 card=Front bus=usb-1 formats=YUYV:64x64@50
        1 card=Front bus=usb-1 metadata
        2 card=Back bus=usb-2 formats=NV12:96x96@50
        3 card=Back bus=usb-2 formats=NV12:128x96@50
        4 card=Locked bus=usb-3 formats=NV12:96x96@50 refuse
        """

    @Test(
        "Several cameras are told apart by their names, and each can be chosen by name or by path",
        arguments: [
            ("auto", "yuyv", "64x64"), ("usb-2 Back", "nv12", "96x96"), ("usb-2 Back #2", "nv12", "128x96"),
            ("/dev/video2", "nv12", "96x96"),
        ])
    func byName(_ row: (String, String, String)) async throws {
        let lines = try await CameraStandIn(script: Self.several, camera: row.0, isolation: .process).run(
            "cameras", "open:\(row.1):\(row.2)@50:3")
        #expect(
            lines.news.prefix(4) == [
                "camera usb-1 Front code=", "camera usb-2 Back code=", "camera usb-2 Back #2 code=",
                "camera /dev/video4 code=camera_denied",
            ])
        #expect(lines.frames.count >= 3, "\(lines.news)")
        #expect(lines.frames.allSatisfy { $0.size == row.2 })
    }

    @Test("A machine without a camera has none, and says so", arguments: PluginIsolation.both)
    func without(_ isolation: PluginIsolation) async throws {
        for camera in ["auto", "none"] {
            let lines = try await CameraStandIn(script: "", camera: camera, isolation: isolation).run(
                "cameras", "modes")
            #expect(lines.all == ["no camera", "done"])
        }
    }

    @Test("A child that is killed in the middle of its pictures has a successor, and the next stream works too")
    func killed() async throws {
        let lines = try await CameraStandIn(script: Self.every, isolation: .process).run(
            "kill:i420:320x240@100:100", "open:nv12:320x240@100:20")
        #expect(lines.news.contains("killed"))
        #expect(lines.frames.count { $0.format == "i420" } >= 100)
        #expect(lines.frames.count { $0.format == "nv12" } >= 20)
        #expect(lines.frames.allSatisfy { $0.shown == $0.number })
    }
}
