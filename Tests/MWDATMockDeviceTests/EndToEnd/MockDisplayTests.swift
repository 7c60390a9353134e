import MWDATCore
import MWDATDisplay
import TestLink
import Testing

@testable import MWDATMockDevice

@Suite("A view on mock glasses")
struct MockDisplayTests {
    @Test("A view is previewed in words, a click reaches its handler, and the next view takes both away")
    func click() async throws {
        let (app, glasses) = try MockApp.worn(model: .metaRayBanDisplay)
        let session = try await app.startedSession(on: glasses)
        let display = try session.addDisplay()
        display.start()
        try await waitUntil { display.state == .started ? true : nil }
        let clicks = Log<String>()
        try await display.send(
            FlexBox {
                Text("Timer")
                Button(label: "Stop") { clicks.append("stop") }
            })
        let preview = glasses.services.display.createPreviewView()
        #expect(preview.texts == ["Timer", "Stop"])
        let button = try #require(preview.identifiers.first)
        glasses.services.display.sendClick(identifier: button)
        try await waitUntil { clicks.all == ["stop"] ? true : nil }
        try await display.clearDisplay()
        #expect(glasses.services.display.createPreviewView().tree == nil)
        glasses.services.display.sendClick(identifier: button)
        await app.kit.stage.settle()
        app.hub.settle()
        #expect(clicks.all == ["stop"])
        app.end()
    }

    @Test("A video plays until it has come to its end")
    func video() async throws {
        let (app, glasses) = try MockApp.worn(model: .metaRayBanDisplay)
        let session = try await app.startedSession(on: glasses)
        let display = try session.addDisplay()
        display.start()
        try await waitUntil { display.state == .started ? true : nil }
        let events = Log<VideoPlaybackEventType>()
        display.onPlaybackEvent = { events.append($0.type) }
        try await display.send(VideoPlayer(provider: .uri("https://example.com/film.mp4"), codec: .mp4))
        #expect(glasses.services.display.createPreviewView().isPlaying)
        glasses.services.display.finishVideo()
        try await waitUntil { events.all == [.started, .ended] ? true : nil }
        app.end()
    }
}
