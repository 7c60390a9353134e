import Foundation
import MWDATCamera
import MWDATCore
import Testing

@testable import MWDATMockDevice

/// The table of device operations once more: what an app observes of each through the toolkit.
@Suite("What an app observes when something is done to its glasses", .serialized)
struct ObservedOperationTests {
    @Test("powerOn and unfold: the device is listed and connected; don: the auto selector chooses it")
    func order() async throws {
        let app = MockApp()
        app.kit.enable()
        let glasses = try app.kit.pairGlasses(model: .rayBanMeta)
        let selector = AutoDeviceSelector(wearables: app.hub)
        glasses.powerOn()
        await app.kit.stage.settle()
        #expect(app.hub.devices.isEmpty)
        glasses.unfold()
        try await waitUntil { app.hub.devices == [glasses.deviceIdentifier] ? true : nil }
        #expect(app.hub.deviceForIdentifier(glasses.deviceIdentifier)?.linkState == .connected)
        #expect(selector.activeDevice == nil)
        #expect(selector.ineligibleDevices[glasses.deviceIdentifier]?.check == .worn)
        glasses.don()
        try await waitUntil { selector.activeDevice == glasses.deviceIdentifier ? true : nil }
        app.end()
    }

    @Test("Glasses that need not be worn are chosen before they are")
    func orderBefore() async throws {
        let app = MockApp()
        app.kit.enable()
        app.kit.behavior = MockBehavior(donRequirement: .never)
        let glasses = try app.kit.pairGlasses(model: .rayBanMeta)
        let selector = AutoDeviceSelector(wearables: app.hub)
        glasses.powerOn()
        glasses.unfold()
        try await waitUntil { selector.activeDevice == glasses.deviceIdentifier ? true : nil }
        app.end()
    }

    @Test("doff: the stream stops with hingesClosed, the session pauses, and the device stays connected")
    func doff() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.doff()
        try await observed.wait(.stopped)
        try await observed.wait(session: .paused)
        #expect(observed.errors == [.hingesClosed])
        #expect(observed.stream.endReason?.check == .worn)
        #expect(app.hub.deviceForIdentifier(glasses.deviceIdentifier)?.linkState == .connected)
        glasses.don()
        try await observed.wait(session: .started)
        observed.stream.start()
        try await observed.wait(.streaming)
        app.end()
    }

    @Test("doff up to 0.8: session and stream pause without an error, and go on when the glasses are worn again")
    func doffPauses() async throws {
        let (app, glasses) = try MockApp.worn()
        app.kit.behavior = MockBehavior(doffEffect: .pauses)
        let observed = try await ObservedStream(app, glasses)
        glasses.doff()
        try await observed.wait(.paused)
        try await observed.wait(session: .paused)
        glasses.don()
        try await observed.wait(.streaming)
        try await observed.waitForFrame()
        #expect(observed.errors.isEmpty && observed.told.session == [.paused, .started])
        app.end()
    }

    @Test("fold: the stream stops with hingesClosed, the session stops, the device is disconnected")
    func fold() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.fold()
        await observed.session.waitUntilStopped()
        try await observed.wait(.stopped)
        #expect(observed.errors == [.hingesClosed])
        #expect(observed.session.endReason?.check == .hinges)
        #expect(observed.told.stream.suffix(2) == [.stopping, .stopped])
        let device = try #require(app.hub.deviceForIdentifier(glasses.deviceIdentifier))
        try await waitUntil { device.linkState == .disconnected && device.hingeState == .closed ? true : nil }
        app.end()
    }

    @Test("powerOff: the stream stops with deviceNotConnected, the session stops, the device is disconnected")
    func powerOff() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.powerOff()
        await observed.session.waitUntilStopped()
        try await observed.wait(.stopped)
        #expect(observed.errors == [.deviceNotConnected(glasses.deviceIdentifier)])
        #expect(observed.session.endReason?.check == .power)
        let device = try #require(app.hub.deviceForIdentifier(glasses.deviceIdentifier))
        try await waitUntil { device.linkState == .disconnected ? true : nil }
        app.end()
    }

    @Test("tap: session and stream pause without pictures, and go on with the next tap")
    func tap() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.services.captouch.tap()
        try await observed.wait(.paused)
        try await observed.wait(session: .paused)
        #expect(!observed.stream.capturePhoto(format: .jpeg))
        glasses.services.captouch.tap()
        try await observed.wait(.streaming)
        try await observed.wait(session: .started)
        try await observed.waitForFrame()
        #expect(observed.errors.isEmpty && observed.told.sessionErrors.isEmpty)
        app.end()
    }

    @Test("tapAndHold: stream and session stop, and the session tells no error")
    func tapAndHold() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.services.captouch.tapAndHold()
        await observed.session.waitUntilStopped()
        try await observed.wait(.stopped)
        try await observed.wait(session: .stopped)
        #expect(observed.told.sessionErrors.isEmpty)
        #expect(observed.session.endReason?.check == .endedByDevice)
        app.end()
    }

    @Test("setThermalLevel(.critical): the stream stops with thermalHot, the session is warned and goes on")
    func thermalCritical() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.setThermalLevel(.critical)
        try await observed.wait(.stopped)
        try await waitUntil { observed.told.sessionErrors == [.thermalCritical] ? true : nil }
        #expect(observed.errors == [.thermalHot] && observed.session.state == .started)
        let device = try #require(app.hub.deviceForIdentifier(glasses.deviceIdentifier))
        try await waitUntil { device.thermalLevel == .critical ? true : nil }
        app.end()
    }

    @Test("setThermalLevel(.emergency): all stop, each with its error")
    func thermalEmergency() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.setThermalLevel(.emergency)
        await observed.session.waitUntilStopped()
        try await observed.wait(.stopped)
        try await waitUntil { observed.told.sessionErrors == [.thermalEmergency] ? true : nil }
        #expect(observed.errors == [.thermalHot])
        app.end()
    }

    @Test("setBatteryLevel(1): all stop, each with its error")
    func batteryCritical() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.setBatteryLevel(1)
        await observed.session.waitUntilStopped()
        try await observed.wait(.stopped)
        try await waitUntil { observed.told.sessionErrors == [.batteryCritical] ? true : nil }
        #expect(observed.errors == [.batteryLow])
        app.end()
    }

    @Test("fold, unfold, don: the old session stays stopped, and a new one streams")
    func foldCycle() async throws {
        let (app, glasses) = try MockApp.worn()
        let first = try await ObservedStream(app, glasses)
        glasses.fold()
        await first.session.waitUntilStopped()
        #expect(throws: DeviceSessionError.sessionAlreadyStopped) { try first.session.start() }
        glasses.unfold()
        glasses.don()
        let device = try #require(app.hub.deviceForIdentifier(glasses.deviceIdentifier))
        try await waitUntil { device.linkState == .connected ? true : nil }
        let second = try await ObservedStream(app, glasses)
        try await second.waitForFrame()
        app.end()
    }
}
