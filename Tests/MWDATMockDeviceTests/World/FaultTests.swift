import Foundation
import GlassesDomain
import MWDATCore
import Testing

@testable import MWDATMockDevice

@Suite("What goes wrong in the simulated world")
struct FaultTests {
    private static let app = LinkApp(identifier: "a", name: "A", version: "1", callbackScheme: "a://")

    @Test("A session is refused with each reason", arguments: Refusal.Check.allCases)
    func refusedSession(check: Refusal.Check) {
        let refusal = Refusal(check, "As told.", isRetryable: true)
        var world = WorldHarness()
        world.operate(.don)
        world.set(MockFaults(refusals: [.session: refusal]))
        _ = world.take()
        world.send(.openSession(1, device: WorldHarness.glasses, takesOver: false))
        #expect(world.events() == [.sessionEnded(1, refusal)])
    }

    @Test("Every kind of request can be refused, and gets exactly one answer")
    func refusedRequests() {
        let refusal = Refusal(.companion, "No.", isRetryable: false)
        var world = WorldHarness.streaming(model: .metaRayBanDisplay)
        world.set(
            MockFaults(refusals: Dictionary(uniqueKeysWithValues: MockFaults.Request.allCases.map { ($0, refusal) })))
        world.send(.checkPermission(.camera, 1))
        world.send(.requestPermission(.camera, 2))
        world.send(.openUpdate(.firmware, 3))
        world.send(.capturePhoto(1, 4, .jpeg))
        world.send(.startDisplay(1))
        world.send(.showView(1, 5, tree: Data("{}".utf8)))
        world.send(.clearDisplay(1, 6))
        world.send(.startStream(1, 9, WorldHarness.request))
        #expect(
            world.events() == [
                .permissionFailed(1, refusal), .permissionFailed(2, refusal), .navigation(3, refusal),
                .photoFailed(1, 4, refusal), .displayEnded(1, refusal), .viewFailed(1, 5, refusal),
                .viewFailed(1, 6, refusal), .streamEnded(1, 9, refusal),
            ])
        // Ends cannot be refused.
        world.send(.stopStream(1, 1))
        world.send(.closeSession(1))
        #expect(world.events() == [.streamEnded(1, 1, nil), .sessionEnded(1, nil)])
    }

    @Test("An unanswered request gets no event", arguments: MockFaults.Request.allCases)
    func unanswered(kind: MockFaults.Request) {
        var world = WorldHarness.streaming(model: .metaRayBanDisplay)
        world.send(.startDisplay(1))
        world.set(MockFaults(unanswered: [kind]))
        _ = world.take()
        let command: LinkCommand =
            switch kind {
            case .registration: .register(Self.app)
            case .unregistration: .unregister
            case .permissionCheck: .checkPermission(.camera, 9)
            case .permissionRequest: .requestPermission(.camera, 9)
            case .navigation: .openUpdate(.glassesApp, 9)
            case .session: .openSession(9, device: WorldHarness.glasses, takesOver: true)
            case .sessionEnd: .closeSession(1)
            case .stream: .startStream(1, 9, WorldHarness.request)
            case .streamEnd: .stopStream(1, 1)
            case .photo: .capturePhoto(1, 9, .jpeg)
            case .display: .startDisplay(1)
            case .displayEnd: .stopDisplay(1)
            case .view: .clearDisplay(1, 9)
            }
        world.send(command)
        #expect(world.events().isEmpty)
    }

    @Test("Late answers come in order, each after the delay")
    func late() {
        var world = WorldHarness()
        world.operate(.don)
        world.set(MockFaults(answerDelay: .seconds(2)))
        _ = world.take()
        world.send(.checkPermission(.camera, 1))
        world.now = world.now.advanced(by: .seconds(1))
        world.send(.checkPermission(.camera, 2))
        world.set(MockFaults())
        world.send(.checkPermission(.camera, 3))
        #expect(world.events().isEmpty)
        world.pass(until: MonotonicTime.zero.advanced(by: .milliseconds(2_500)))
        #expect(world.events() == [.permission(1, .granted)])
        world.pass(until: MonotonicTime.zero.advanced(by: .seconds(4)))
        #expect(world.events() == [.permission(2, .granted), .permission(3, .granted)])
    }

    @Test("A lost trust record ends the session, and the app can register again")
    func lostTrust() {
        var world = WorldHarness.streaming()
        world.apply(.operated(.trustLost))
        #expect(
            world.events() == [
                .streamEnded(1, 1, .trustLost), .sessionEnded(1, .trustLost), .registration(.available, .trustLost),
            ])
        world.send(.openSession(2, device: WorldHarness.glasses, takesOver: false))
        world.send(.register(Self.app))
        world.send(.openSession(3, device: WorldHarness.glasses, takesOver: false))
        #expect(
            world.events() == [
                .sessionEnded(2, .notRegistered), .registration(.registering, nil), .registration(.registered, nil),
                .sessionStarted(3),
            ])
    }

    @Test("A crash ends the session, and the glasses are back after their restart")
    func crash() {
        var world = WorldHarness.streaming()
        world.operate(.incident(.crash))
        #expect(world.events() == [.streamEnded(1, 1, .crashed), .sessionEnded(1, .crashed)])
        #expect(world.state?.linkState == .disconnected)
        world.pass(until: world.now.advanced(by: MockWorld.restartTime))
        #expect(world.state?.linkState == .connected)
        _ = world.take()
        world.send(.openSession(2, device: WorldHarness.glasses, takesOver: false))
        #expect(world.events() == [.sessionStarted(2)])
    }

    @Test("A link that blinks loses nothing; one that breaks ends the session")
    func link() {
        var world = WorldHarness.streaming()
        world.operate(.incident(.link(.connecting)))
        #expect(world.state?.linkState == .connecting)
        world.operate(.incident(.link(.connected)))
        #expect(world.events().isEmpty)
        world.operate(.incident(.link(.disconnected)))
        #expect(world.events() == [.streamEnded(1, 1, .outOfRange), .sessionEnded(1, .outOfRange)])
        world.operate(.incident(.link(.connected)))
        #expect(world.state?.linkState == .connected)
    }

    @Test("A full memory ends the stream with a reason, and a restart works once it was freed")
    func outOfMemory() {
        var world = WorldHarness.streaming()
        world.set(MockFaults(runsOutOfMemory: true))
        world.send(.capturePhoto(1, 5, .jpeg))
        world.picture()
        #expect(world.events() == [.photoFailed(1, 5, .outOfMemory), .streamEnded(1, 1, .outOfMemory)])
        world.set(MockFaults())
        world.send(.startStream(1, 2, WorldHarness.request))
        world.picture(stream: 2)
        #expect(world.events().frames.count == 1)
    }

    @Test("Stopped pictures come back with the fault's end")
    func stoppedFrames() {
        var world = WorldHarness.streaming()
        world.set(MockFaults(stopsFrames: true))
        world.picture()
        #expect(world.events().isEmpty)
        world.set(MockFaults())
        world.picture()
        #expect(world.events().frames.count == 1)
    }

    @Test("After a lost key frame no picture comes until one is asked for")
    func lostKeyFrame() {
        var world = WorldHarness.streaming()
        world.operate(.incident(.keyFrameLoss))
        world.picture()
        #expect(world.events().isEmpty)
        world.send(.requestKeyFrame(1, 1))
        world.picture()
        #expect(world.events().frames.count == 1)
    }

    @Test("A session that an app left behind blocks the next one, which may take over")
    func leakedSession() {
        var world = WorldHarness.streaming()
        world.apply(.closed(WorldHarness.app))
        world.apply(.opened(2))
        _ = world.take()
        world.send(.openSession(5, device: WorldHarness.glasses, takesOver: false), from: 2)
        world.send(.openSession(6, device: WorldHarness.glasses, takesOver: true), from: 2)
        #expect(world.events(of: 2) == [.sessionEnded(5, .occupied), .sessionStarted(6)])
    }

    @Test("A session's number that is used twice changes nothing")
    func numberTwice() {
        var world = WorldHarness.streaming()
        world.apply(.operated(.paired("other", .rayBanMeta, name: "")))
        world.apply(.operated(.device("other", .don)))
        _ = world.take()
        world.send(.openSession(1, device: "other", takesOver: true))
        #expect(world.events().isEmpty)
        world.operate(.fold)
        #expect(world.events() == [.streamEnded(1, 1, .folded), .sessionEnded(1, .folded)])
        #expect(world.world.glasses.allSatisfy { $0.session == nil })
    }

    @Test("Taking over ends the other app's session with a reason")
    func takeOver() {
        var world = WorldHarness.streaming()
        world.apply(.opened(2))
        _ = world.take()
        world.send(.openSession(1, device: WorldHarness.glasses, takesOver: true), from: 2)
        let events = world.take().events
        #expect(
            events == [.streamEnded(1, 1, .takenOver), .sessionEnded(1, .takenOver), .sessionStarted(1)])
    }

    @Test("Folding the glasses frees them of a session that was left on them")
    func foldFrees() {
        var world = WorldHarness.streaming()
        world.operate(.incident(.sessionLeak))
        world.send(.openSession(2, device: WorldHarness.glasses, takesOver: false))
        world.operate(.fold)
        world.operate(.don)
        world.send(.openSession(3, device: WorldHarness.glasses, takesOver: false))
        #expect(
            world.events() == [
                .streamEnded(1, 1, .endedByDevice), .sessionEnded(1, .endedByDevice), .sessionEnded(2, .occupied),
                .sessionStarted(3),
            ])
    }

    @Test("A callback URL that comes late still completes what was left open")
    func lateCallback() {
        var world = WorldHarness(isRegistered: false, hasPermissions: false)
        world.operate(.don)
        world.set(MockFaults(unanswered: [.registration, .permissionRequest]))
        _ = world.take()
        world.send(.register(Self.app))
        // The toolkit waits no longer.
        world.send(.cancelRegistration)
        world.send(.openedURL("a://?metaWearablesAction=register&authorityKey=k"))
        world.send(.requestPermission(.camera, 4))
        world.send(.openedURL("a://?metaWearablesAction=permission&permission_granted=true"))
        #expect(
            world.events() == [
                .registration(.registering, nil), .registration(.available, nil), .registration(.registered, nil),
                .permission(4, .granted),
            ])
    }

    @Test("A callback URL that refuses ends what was left open, and changes nothing else")
    func refusedCallback() {
        var world = WorldHarness(isRegistered: false, hasPermissions: false)
        world.operate(.don)
        world.set(MockFaults(unanswered: [.registration, .permissionRequest]))
        _ = world.take()
        world.send(.register(Self.app))
        world.send(.openedURL("a://?metaWearablesAction=register&error=companion"))
        #expect(world.world.registration == .available)
        world.send(.openedURL("a://?metaWearablesAction=register&authorityKey=k"))
        world.send(.requestPermission(.camera, 4))
        world.send(.openedURL("a://?metaWearablesAction=permission&permission=microphone&error=companion"))
        #expect(world.world.openRequests.count == 1)
        world.send(.openedURL("a://?metaWearablesAction=permission&error=companion"))
        world.send(.openedURL("a://?metaWearablesAction=unregister&error=companion"))
        #expect(world.world.registration == .registered && world.world.statuses[.camera] == .denied)
        guard case .permissionFailed(4, let refusal) = world.events().last else {
            Issue.record("the request is still open")
            return
        }
        #expect(refusal.check == .companion)
    }

    @Test("An answer to what the world was never asked counts: the app has a companion of its own")
    func unaskedCallback() {
        var world = WorldHarness(isRegistered: false, hasPermissions: false)
        world.operate(.don)
        _ = world.take()
        world.send(.openedURL("a://?metaWearablesAction=register&authorityKey=k"))
        world.send(.openedURL("a://?metaWearablesAction=permission&permission=camera&permission_granted=true"))
        world.send(.openedURL("a://?metaWearablesAction=permission&permission_granted=true"))
        #expect(world.events() == [.registration(.registered, nil)])
        #expect(world.world.statuses == [.camera: .granted, .microphone: .denied])
    }
}
