import Foundation
import GlassesCore
import Testing

@testable import glasses

@Suite("Tools of talk")
struct TalkToolsTests {
    private let timers = TalkTimers(ports: .init(ring: { _ in }, cut: {}, tell: { _ in }))

    private func call(_ tools: TalkTools, _ name: String, _ arguments: JSONValue = [:]) async throws -> ToolResult {
        let builder = AssistantConfigBuilder(provider: .managed())
        tools.add(to: builder)
        let tool = try #require(builder.config.tools.first { $0.name == name })
        return try await tool.body(arguments)
    }

    @Test("the documented tools are there")
    func names() {
        let builder = AssistantConfigBuilder(provider: .managed())
        TalkTools(timers: timers, takePhoto: { .failure(.noCameraForTests) }).add(to: builder)
        #expect(
            Set(builder.config.tools.map(\.name)) == [
                "take_picture", "set_timer", "get_time", "remember", "recall", "stop",
            ])
    }

    @Test("a picture says where it is; without a camera, and after a failure, that is said")
    func picture() async throws {
        let photo = Photo(uri: "file:///tmp/a%20b.jpg", width: 4, height: 3, format: .jpeg, exif: nil)
        let seeing = TalkTools(timers: timers, takePhoto: { .success(photo) })
        #expect(try await call(seeing, "take_picture") == .ok("I took a picture. It is at /tmp/a b.jpg."))
        let paused = TalkTools(timers: timers, takePhoto: { .failure(.streamPaused) })
        #expect(
            try await call(paused, "take_picture") == .err("The camera is paused. Tap the right temple to resume it."))
        #expect(
            try await call(TalkTools(timers: timers, takePhoto: { .failure(.noCameraForTests) }), "take_picture")
                == .err("this device has no camera."))
    }

    @Test("a timer says its duration; one that is too short or too long is refused")
    func timer() async throws {
        let tools = TalkTools(timers: timers, takePhoto: { .failure(.noCameraForTests) })
        #expect(try await call(tools, "set_timer", ["seconds": 300]) == .ok("Timer set for 5 minutes."))
        for seconds: Int64 in [0, -5, 86_401] {
            let result = try await call(tools, "set_timer", ["seconds": .int(seconds)])
            #expect(result == .err("a timer takes from 1 second to 24 hours."))
        }
        #expect(await timers.dropAll().map(\.seconds) == [300])
    }

    @Test("what was remembered is recalled in the user's words, the newest notes only")
    func memory() async throws {
        let tools = TalkTools(timers: timers, takePhoto: { .failure(.noCameraForTests) })
        #expect(try await call(tools, "recall") == .ok("You have not asked me to remember anything."))
        _ = try await call(tools, "remember", ["note": "my keys are in the kitchen"])
        #expect(try await call(tools, "recall") == .ok("You told me: my keys are in the kitchen."))
        for number in 1...5 { _ = try await call(tools, "remember", ["note": .string("\(number)")]) }
        #expect(try await call(tools, "recall") == .ok("You told me: 1; 2; 3; 4; 5."))
    }

    @Test("stop with nothing ringing asks for sleep, once")
    func stop() async throws {
        let tools = TalkTools(timers: timers, takePhoto: { .failure(.noCameraForTests) })
        #expect(!tools.takeWishToSleep())
        #expect(try await call(tools, "stop") == .ok("Good bye."))
        #expect(tools.takeWishToSleep())
        #expect(!tools.takeWishToSleep())
    }

    @Test(
        "the time is said by the twelve-hour clock",
        arguments: [
            (0, 0, "It is 12 A.M."), (7, 5, "It is 7:05 A.M."), (12, 30, "It is 12:30 P.M."),
            (23, 59, "It is 11:59 P.M."),
        ])
    func time(_ hour: Int, _ minute: Int, _ sentence: String) throws {
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        let date = Date(timeIntervalSince1970: Double(hour * 3_600 + minute * 60))
        #expect(TalkTools.timeSentence(date, timeZone: zone) == sentence)
    }
}

extension CaptureError {
    fileprivate static let noCameraForTests = CaptureError.platformError(
        code: "no_camera", message: "No camera. Connect one.")
}
