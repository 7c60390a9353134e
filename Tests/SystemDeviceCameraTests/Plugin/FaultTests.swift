import GlassesPluginHost
import Testing

@Suite("What goes wrong with cameras, through the whole host")
struct FaultTests {
    private static let base = "0 card=Front bus=usb-1 formats=MJPG:128x96@50,YUYV:64x64@50 "

    private func run(_ fault: String, _ isolation: PluginIsolation, _ steps: String...) async throws -> LabLines {
        try await CameraStandIn(script: Self.base + fault, isolation: isolation).run(all: steps)
    }

    @Test(
        "An unplugged camera ends its stream with the reason, and the next stream works after the replug",
        arguments: PluginIsolation.both)
    func replug(_ isolation: PluginIsolation) async throws {
        let lines = try await run(
            "unplug=10 away=3000", isolation, "open:yuyv:64x64@50:1000", "open:yuyv:64x64@50:5", "wait:3500",
            "open:yuyv:64x64@50:5")
        #expect(
            lines.news.filter { $0 != "closed dropped=0" } == [
                "opened", "ended camera_lost", "refused camera_not_found", "opened", "done",
            ])
        #expect(lines.frames.count >= 10)
        #expect(lines.frames.allSatisfy { $0.shown == $0.number })
    }

    @Test("A camera that stops delivering ends its stream once, within its bound", arguments: PluginIsolation.both)
    func stall(_ isolation: PluginIsolation) async throws {
        let start = ContinuousClock.now
        let lines = try await run("stall=5", isolation, "open:yuyv:64x64@50:1000", "open:yuyv:64x64@50:5")
        #expect(lines.news.count { $0 == "ended camera_stalled" } == 1)
        #expect(lines.news.count { $0 == "opened" } == 2)
        #expect(lines.frames.count >= 10)
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    @Test("A camera that never delivers fails its start with the reason")
    func silent() async throws {
        let lines = try await run("stall=0", .process, "open:yuyv:64x64@50:5")
        #expect(lines.news == ["refused camera_no_pictures", "done"])
    }

    @Test(
        "A picture that is half, marked as broken or too late for its number is left out, and the others are whole",
        arguments: [
            ("half=5", "jpeg:128x96", 5), ("half=5", "yuyv:64x64", 5), ("broken=5", "yuyv:64x64", 5),
        ])
    func brokenPictures(_ row: (String, String, Int)) async throws {
        let lines = try await run(row.0, .process, "open:\(row.1)@50:15")
        #expect(lines.frames.count >= 15)
        #expect(!lines.frames.contains { $0.number == row.2 })
        lines.expectOrder()
    }

    @Test("Pictures that the camera lost are counted by the numbers of the others")
    func lost() async throws {
        let lines = try await run("lose=5", .process, "open:yuyv:64x64@50:15")
        let numbers = lines.frames.map(\.number)
        #expect(!numbers.contains { (5...7).contains($0) })
        #expect(numbers.contains { $0 > 7 })
        #expect(lines.frames.allSatisfy { $0.shown == ($0.number < 5 ? $0.number : $0.number - 3) })
    }

    @Test("Times that jump back, or are of another clock, still grow", arguments: ["back=5", "clock"])
    func times(_ fault: String) async throws {
        let lines = try await run(fault, .process, "open:yuyv:64x64@50:15")
        #expect(lines.frames.count >= 15)
        lines.expectOrder()
    }

    @Test(
        "What a camera refuses is said by its reason, in both kinds of isolation",
        arguments: [("busy", "camera_busy"), ("other", "camera_mode_refused")], PluginIsolation.both)
    func refusals(_ fault: (String, String), _ isolation: PluginIsolation) async throws {
        let lines = try await run(fault.0, isolation, "open:yuyv:64x64@50:5", "open:yuyv:64x64@50:5")
        #expect(lines.news == ["refused \(fault.1)", "refused \(fault.1)", "done"])
    }

    @Test("A camera that this user may not open is refused where it was asked for, and passed over else")
    func denied() async throws {
        let named = CameraStandIn(script: Self.base + "refuse", camera: "/dev/video0", isolation: .process)
        let refused = try await named.run()
        #expect(refused.news == ["not connected permission_denied", "done"])
        let any = try await run("refuse", .process, "cameras", "modes")
        #expect(any.news == ["camera /dev/video0 code=camera_denied", "no camera", "done"])
    }

    @Test("A driver that does not even say what it is costs the app its camera, and nothing else")
    func mute() async throws {
        let start = ContinuousClock.now
        #expect(try await run("mute", .process, "modes").news == ["no camera", "done"])
        let named = CameraStandIn(script: Self.base + "mute", camera: "/dev/video0", isolation: .process)
        #expect(try await named.run().news == ["not connected camera_hung", "done"])
        #expect(ContinuousClock.now - start < .seconds(28))
    }

    @Test(
        "A driver that does not come back fails the start within its bound, and the end of the device does not wait for it"
    )
    func hangs() async throws {
        let start = ContinuousClock.now
        let lines = try await run("hang", .process, "open:yuyv:64x64@50:5", "open:yuyv:64x64@50:5")
        #expect(lines.news == ["refused camera_hung", "refused camera_hung", "done"])
        #expect(ContinuousClock.now - start < .seconds(28))
    }
}
