import MWDATCore
import Testing

@testable import MWDATDisplay
@testable import MWDATMockDevice

/// The display of the mock device kit's glasses, by the tree that crosses the link.
@Suite(.timeLimit(.minutes(1))) struct MockDisplayTests {
    private let hub: WearablesHub
    private let kit: MockKit

    init() {
        hub = WearablesHub(
            link: MockLink(stage: MockStage(opener: MockFeedOpener(decoder: nil))), configuration: .mockDeviceKit,
            tokenRule: TokenRule(isStrict: false, warn: { _ in }))
        kit = MockKit(installer: HubInstaller(hub: hub), decoder: nil)
    }

    /// Worn glasses, and their display that has started.
    private func startedDisplay() async throws -> (glasses: any MockGlasses, session: DeviceSession, display: Display) {
        kit.enable()
        let glasses = try kit.pairGlasses(model: .metaRayBanDisplay)
        glasses.don()
        for await devices in hub.devicesStream() where devices.contains(glasses.deviceIdentifier) { break }
        let session = try hub.createSession(
            deviceSelector: SpecificDeviceSelector(device: glasses.deviceIdentifier))
        try session.start()
        for await state in session.stateStream() where state == .started { break }
        let display = try session.addDisplay()
        let states = display.statePublisher.stream
        display.start()
        for await state in states where state == .started { break }
        return (glasses, session, display)
    }

    private func end() {
        kit.disable()
        hub.shutDown()
    }

    @Test func theGlassesShowTheTextsOfAViewAndReportAChoice() async throws {
        let (glasses, _, display) = try await startedDisplay()
        let (choices, choice) = AsyncStream.makeStream(of: String.self)
        try await display.send(
            FlexBox(direction: .column) {
                Text("Timer", style: .heading)
                FlexBox(direction: .row) { Text("5 min") }.onTap { choice.yield("row") }
                Button(label: "Stop") { choice.yield("button") }
            })
        let shown = glasses.services.display.createPreviewView()
        #expect(shown.texts == ["Timer", "5 min", "Stop"])
        #expect(shown.identifiers == ["e1", "e2"])
        glasses.services.display.sendClick(identifier: "e2")
        glasses.services.display.sendClick(identifier: "e1")
        var heard: [String] = []
        for await name in choices {
            heard.append(name)
            if heard.count == 2 { break }
        }
        #expect(heard == ["button", "row"])
        try await display.clearDisplay()
        #expect(glasses.services.display.createPreviewView().texts.isEmpty)
        end()
    }

    @Test func aVideoPlaysAloneAndTellsItsEnd() async throws {
        let (glasses, _, display) = try await startedDisplay()
        let (events, event) = AsyncStream.makeStream(of: VideoPlaybackEventType.self)
        display.onPlaybackEvent = { event.yield($0.type) }
        let video = VideoPlayer(provider: .uri("https://example.com/a.mp4"))
        try await display.send(video)
        #expect(glasses.services.display.createPreviewView().isPlaying)
        await #expect(throws: DisplayError.streamRejected) { try await display.send(video) }
        await display.sendVideoStop()
        #expect(!glasses.services.display.createPreviewView().isPlaying)
        try await display.send(video)
        glasses.services.display.finishVideo()
        var heard: [VideoPlaybackEventType] = []
        for await type in events {
            heard.append(type)
            if heard.count == 5 { break }
        }
        #expect(heard == [.started, .error, .stopped, .started, .ended])
        end()
    }

    @Test func foldedGlassesEndTheDisplayWithTheReason() async throws {
        let (glasses, session, display) = try await startedDisplay()
        let states = display.statePublisher.stream
        glasses.fold()
        var last: DisplayState?
        for await state in states { last = state }
        #expect(last == .stopped)
        await session.waitUntilStopped()
        #expect(display.endReason?.check == .hinges)
        end()
    }
}

private struct HubInstaller: LinkInstaller {
    let hub: WearablesHub

    func install(_ link: (any WearablesLink)?) {
        hub.use(link: link ?? MockLink(stage: MockStage(opener: MockFeedOpener(decoder: nil))))
    }
}
