import Foundation
import MWDATCore
import Testing

@testable import MWDATMockDevice

@Suite("Photos and the display of the simulated world")
struct PhotoAndDisplayTests {
    private static let session = MockSessionKey(client: WorldHarness.app, session: 1)
    private static let photo = LinkPhoto(format: .jpeg, bytes: Data([1]))
    private static let view = Data(#"{"kind":"flexBox","children":[{"kind":"button","id":"go","text":"Go"}]}"#.utf8)

    @Test("Pictures wait while a photo is taken, and a second photo is refused")
    func photo() {
        var world = WorldHarness.streaming()
        world.send(.capturePhoto(1, 7, .jpeg))
        world.picture()
        world.send(.capturePhoto(1, 8, .jpeg))
        #expect(world.events() == [.photoFailed(1, 8, .cameraInUse)])
        world.apply(.photoEnded(MockPhotoKey(session: Self.session, request: 7), .success(Self.photo)))
        world.picture()
        let events = world.events()
        #expect(events.first == .photo(1, 7, Self.photo))
        #expect(events.frames.count == 1)
    }

    @Test("A photo that the session's end overtakes fails once")
    func overtakenPhoto() {
        var world = WorldHarness.streaming()
        world.send(.capturePhoto(1, 7, .jpeg))
        world.operate(.fold)
        world.apply(.photoEnded(MockPhotoKey(session: Self.session, request: 7), .success(Self.photo)))
        #expect(
            world.events() == [
                .streamEnded(1, 1, .folded), .photoFailed(1, 7, .folded), .sessionEnded(1, .folded),
            ])
    }

    @Test("A paused session takes no photo")
    func pausedPhoto() {
        var world = WorldHarness.streaming()
        world.operate(.tap)
        _ = world.take()
        world.send(.capturePhoto(1, 7, .jpeg))
        #expect(world.events() == [.photoFailed(1, 7, .paused)])
    }

    @Test("A view replaces the last one, and its elements can be clicked")
    func view() {
        var world = WorldHarness.streaming(model: .metaRayBanDisplay)
        world.send(.startDisplay(1))
        world.send(.showView(1, 2, tree: Self.view))
        world.operate(.click("go"))
        #expect(world.events() == [.displayStarted(1), .viewShown(1, 2), .viewTapped(1, element: "go")])
        world.operate(.click("other"))
        world.send(.clearDisplay(1, 3))
        world.operate(.click("go"))
        let actions = world.take()
        #expect(actions.events == [.viewShown(1, 3)])
        #expect(actions.notes.count == 2)
    }

    @Test("A video plays until it ends, is stopped or is replaced")
    func video() {
        let video = Data(#"{"kind":"video","url":"https://example.com/a.mp4"}"#.utf8)
        var world = WorldHarness.streaming(model: .metaRayBanDisplay)
        world.send(.startDisplay(1))
        world.send(.showView(1, 2, tree: video))
        world.operate(.videoEnded)
        world.send(.stopPlayback(1))
        world.send(.showView(1, 3, tree: video))
        world.send(.stopPlayback(1))
        world.send(.showView(1, 4, tree: video))
        world.send(.showView(1, 5, tree: Self.view))
        #expect(
            world.events() == [
                .displayStarted(1), .viewShown(1, 2), .playback(1, .started), .playback(1, .ended), .viewShown(1, 3),
                .playback(1, .started), .playback(1, .stopped), .viewShown(1, 4), .playback(1, .started),
                .playback(1, .stopped), .viewShown(1, 5),
            ])
    }

    @Test("Glasses without a display refuse to start one")
    func noDisplay() {
        var world = WorldHarness.streaming()
        world.send(.startDisplay(1))
        world.send(.showView(1, 2, tree: Self.view))
        #expect(world.events() == [.displayEnded(1, .noDisplay), .viewFailed(1, 2, .displayNotStarted)])
    }

    @Test(
        "What is no view, or of a newer version, is refused, and the last view stays",
        arguments: ["\u{1}", "[]", "{}", #"{"kind":"text","text":"a"}"#, #"{"kind":"flexBox","version":2}"#])
    func unreadableView(tree: String) {
        var world = WorldHarness.streaming(model: .metaRayBanDisplay)
        world.send(.startDisplay(1))
        world.send(.showView(1, 2, tree: Self.view))
        _ = world.take()
        world.send(.showView(1, 3, tree: Data(tree.utf8)))
        world.operate(.click("go"))
        #expect(world.events() == [.viewFailed(1, 3, .viewUnreadable), .viewTapped(1, element: "go")])
    }
}
