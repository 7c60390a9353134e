import MWDATCore
import Testing

@testable import MWDATMockDevice

/// Every row of the table of device operations, with its effect on what can be observed.
@Suite("What is done to glasses")
struct DeviceOperationTests {
    private static let olderDoff = MockBehavior(doffEffect: .pauses)

    @Test("powerOn: the glasses stay unlisted until they are unfolded")
    func powerOn() {
        var world = WorldHarness()
        world.operate(.powerOn)
        #expect(world.world.listedDevices.isEmpty)
        #expect(world.take().isEmpty)
    }

    @Test("unfold: powered glasses are listed and connected")
    func unfold() {
        var world = WorldHarness()
        world.operate(.powerOn)
        world.operate(.unfold)
        #expect(world.take().events == [.devices(world.world.listedDevices)])
        #expect(world.state?.linkState == .connected)
        #expect(world.state?.hingeState == .open)
        #expect(world.state?.compatibility == .compatible)
        #expect(world.state?.donState == .doffed)
    }

    @Test("unfold without power lists nothing")
    func unfoldWithoutPower() {
        var world = WorldHarness()
        world.operate(.unfold)
        #expect(world.world.listedDevices.isEmpty)
    }

    @Test("don: implies power and unfolding, and the glasses are connected and worn")
    func don() {
        var world = WorldHarness()
        world.operate(.don)
        #expect(world.state?.linkState == .connected)
        #expect(world.state?.donState == .donned)
        #expect(world.state?.hingeState == .open)
    }

    @Test("doff since 0.9: the stream ends as not worn, the session pauses, the link stays")
    func doffStops() {
        var world = WorldHarness.streaming()
        world.operate(.doff)
        #expect(world.events() == [.streamEnded(1, 1, .takenOff), .sessionPaused(1)])
        #expect(world.state?.linkState == .connected)
        #expect(world.state?.donState == .doffed)
        world.operate(.don)
        #expect(world.events() == [.sessionResumed(1)])
    }

    @Test("doff up to 0.8: session and stream pause, and go on when the glasses are worn again")
    func doffPauses() {
        var world = WorldHarness.streaming(behavior: Self.olderDoff)
        world.operate(.doff)
        #expect(world.events() == [.sessionPaused(1), .streamPaused(1, 1)])
        world.picture()
        #expect(world.events().isEmpty)
        world.operate(.don)
        #expect(world.events() == [.sessionResumed(1), .streamResumed(1, 1)])
        world.picture()
        #expect(world.events().frames.count == 1)
    }

    @Test("fold: stream and session end with the hinges as the reason, and the link is gone", arguments: [false, true])
    func fold(isPaused: Bool) {
        var world = WorldHarness.streaming()
        if isPaused { world.operate(.tap) }
        _ = world.take()
        world.operate(.fold)
        #expect(world.events() == [.streamEnded(1, 1, .folded), .sessionEnded(1, .folded)])
        #expect(world.state?.linkState == .disconnected)
        #expect(world.state?.hingeState == .closed)
        #expect(world.state?.donState == .doffed)
    }

    @Test("powerOff: stream and session end with the power as the reason, and the link is gone")
    func powerOff() {
        var world = WorldHarness.streaming()
        world.operate(.powerOff)
        #expect(world.events() == [.streamEnded(1, 1, .poweredOff), .sessionEnded(1, .poweredOff)])
        #expect(world.state?.linkState == .disconnected)
        #expect(world.state?.hingeState == .closed)
        #expect(world.state?.donState == .doffed)
    }

    @Test("tap: pauses session and stream, and the next one lets both go on")
    func tap() {
        var world = WorldHarness.streaming()
        world.operate(.tap)
        #expect(world.events() == [.sessionPaused(1), .streamPaused(1, 1)])
        world.picture()
        #expect(world.events().isEmpty)
        world.operate(.tap)
        #expect(world.events() == [.sessionResumed(1), .streamResumed(1, 1)])
    }

    @Test("tap without a session does nothing and says so")
    func tapWithoutSession() {
        var world = WorldHarness()
        world.operate(.don)
        _ = world.take()
        world.operate(.tap)
        let actions = world.take()
        #expect(actions.notes.count == 1 && actions.count == 1)
    }

    @Test("tapAndHold: stream and session end by the wearer")
    func tapAndHold() {
        var world = WorldHarness.streaming()
        world.operate(.tapAndHold)
        #expect(world.events() == [.streamEnded(1, 1, .endedByWearer), .sessionEnded(1, .endedByWearer)])
        #expect(world.state?.linkState == .connected)
    }

    @Test("tapAndHold without a session does nothing and says so")
    func tapAndHoldWithoutSession() {
        var world = WorldHarness()
        world.operate(.tapAndHold)
        let actions = world.take()
        #expect(actions.notes.count == 1 && actions.count == 1)
    }

    @Test("thermal critical: the session is warned and goes on, the stream ends")
    func thermalCritical() {
        var world = WorldHarness.streaming()
        world.operate(.thermal(.critical))
        #expect(world.events() == [.sessionWarned(1, .tooHot), .streamEnded(1, 1, .tooHot)])
        #expect(world.state?.thermalLevel == .critical)
        world.send(.startStream(1, 2, WorldHarness.request))
        #expect(world.events() == [.streamEnded(1, 2, .tooHot)])
        world.operate(.thermal(.light))
        world.send(.startStream(1, 3, WorldHarness.request))
        #expect(world.events() == [.streamStarted(1, 3)])
    }

    @Test("thermal emergency and shutdown end the session", arguments: [ThermalLevel.emergency, .shutdown])
    func thermalEmergency(level: ThermalLevel) {
        var world = WorldHarness.streaming()
        world.operate(.thermal(level))
        #expect(world.events() == [.streamEnded(1, 1, .tooHot), .sessionEnded(1, .tooHot)])
        world.send(.openSession(2, device: WorldHarness.glasses, takesOver: false))
        #expect(world.events() == [.sessionEnded(2, .tooHot)])
    }

    @Test("Lower thermal levels are only told", arguments: [ThermalLevel.none, .light, .moderate, .severe])
    func thermalLow(level: ThermalLevel) {
        var world = WorldHarness.streaming()
        world.operate(.thermal(level))
        #expect(world.events().isEmpty)
        #expect(world.state?.thermalLevel == level)
    }

    @Test("fold, unfold, don: a new session is needed, and it works")
    func foldCycle() {
        var world = WorldHarness.streaming()
        world.operate(.fold)
        world.operate(.unfold)
        world.operate(.don)
        _ = world.take()
        world.send(.startStream(1, 2, WorldHarness.request))
        #expect(world.events() == [.streamEnded(1, 2, .sessionClosed)])
        world.send(.openSession(2, device: WorldHarness.glasses, takesOver: false))
        world.send(.startStream(2, 3, WorldHarness.request))
        #expect(world.events() == [.sessionStarted(2), .streamStarted(2, 3)])
    }

    @Test("setBatteryLevel: an empty battery ends the session; a full one is only told", arguments: [0, 2, 3, 100])
    func battery(percent: Int) {
        var world = WorldHarness.streaming()
        world.operate(.battery(percent))
        let isCritical = percent <= SimulatedGlasses.criticalBattery
        #expect(
            world.events()
                == (isCritical ? [.streamEnded(1, 1, .batteryEmpty), .sessionEnded(1, .batteryEmpty)] : []))
        #expect(world.state?.batteryLevel == percent)
        #expect((world.state?.linkState == .connected) == (percent > 0))
    }

    @Test("setChargingState: glasses that charge keep their session with an empty battery")
    func charging() {
        var world = WorldHarness.streaming()
        world.operate(.charging(.charging))
        world.operate(.battery(1))
        #expect(world.events().isEmpty)
        #expect(world.state?.chargingState == .charging)
        world.operate(.charging(.notCharging))
        #expect(world.events().last == .sessionEnded(1, .batteryEmpty))
    }

    @Test(
        "Glasses that have to be worn refuse a session until they are", arguments: MockBehavior.DonRequirement.allCases)
    func donRequirement(requirement: MockBehavior.DonRequirement) {
        var world = WorldHarness(behavior: MockBehavior(donRequirement: requirement))
        world.operate(.powerOn)
        world.operate(.unfold)
        #expect(world.state?.donState == (requirement == .always ? .doffed : .unknown))
        _ = world.take()
        world.send(.openSession(1, device: WorldHarness.glasses, takesOver: false))
        #expect(world.events() == [requirement == .always ? .sessionEnded(1, .notWorn) : .sessionStarted(1)])
    }
}
