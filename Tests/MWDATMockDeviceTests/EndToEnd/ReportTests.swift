import Foundation
import MWDATCamera
import MWDATCore
import MWDATImage
import Testing

@testable import MWDATMockDevice

/// Reports of the field that the mock kit can bring about, through the toolkit.
@Suite("Reports of the field on mock glasses", .serialized)
struct ReportTests {
    @Test("Report 4: raw pauses while the app is in the background, and no coded picture comes instead")
    func report4() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        app.hub.setAppInBackground(true)
        try await observed.wait(.paused)
        app.hub.setAppInBackground(false)
        try await observed.wait(.streaming)
        try await observed.waitForFrame()
        #expect(observed.errors.isEmpty)
        app.end()
    }

    @Test("Report 6: a full memory is told, ends the stream, and a restart works once it was freed")
    func report6() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        app.kit.faults = MockFaults(runsOutOfMemory: true)
        try await observed.wait(.stopped)
        #expect(observed.stream.endReason?.check == .resources)
        #expect(observed.told.failures.count == 1)
        app.kit.faults = MockFaults()
        observed.stream.start()
        try await observed.wait(.streaming)
        app.end()
    }

    @Test("Report 10: a photo has 1080 by 1440 pixels whatever the stream's size")
    func report10() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        let photo = try await observed.stream.photo()
        let picture = try #require(UIImage(data: photo.data))
        #expect(picture.width == 1_080 && picture.height == 1_440)
        app.end()
    }

    @Test("Report 16: enabled, paired and powered glasses are no active device until they are worn, and that is told")
    func report16() async throws {
        let app = MockApp()
        app.kit.enable()
        let glasses = try app.kit.pairGlasses(model: .rayBanMeta)
        glasses.powerOn()
        glasses.unfold()
        try await waitUntil { app.hub.devices.count == 1 ? true : nil }
        let selector = AutoDeviceSelector(wearables: app.hub)
        #expect(selector.activeDevice == nil)
        #expect(selector.ineligibleDevices.values.map(\.check) == [.worn])
        #expect(throws: DeviceSessionError.noEligibleDevice) { try app.hub.createSession(deviceSelector: selector) }
        glasses.don()
        try await waitUntil { selector.activeDevice == glasses.deviceIdentifier ? true : nil }
        app.end()
    }

    @Test(
        "Report 22: glasses that cannot carry a session say which check they fail",
        arguments: ["link", "software", "hinges"])
    func report22(check: String) async throws {
        let (app, glasses) = try MockApp.worn()
        let device = try await waitUntil { app.hub.deviceForIdentifier(glasses.deviceIdentifier) }
        switch check {
        case "link": glasses.happen(.link(.disconnected))
        case "software": glasses.setCompatibility(.deviceUpdateRequired)
        default: glasses.fold()
        }
        let expected: Refusal.Check = check == "link" ? .link : check == "software" ? .compatibility : .hinges
        try await waitUntil {
            app.hub.readiness().devices.first?.refusal?.check == expected ? true : nil
        }
        let selector = SpecificDeviceSelector(device: device.identifier)
        #expect(throws: DeviceSessionError.noEligibleDevice) {
            try app.hub.createSession(deviceSelector: selector).start()
        }
        app.end()
    }

    @Test("Report 23: a gap in the pictures is told as a stall, and its end too")
    func report23() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        app.kit.faults = MockFaults(stopsFrames: true)
        try await waitUntil { observed.stream.delivery == .stalled ? true : nil }
        #expect(observed.stream.state == .streaming)
        app.kit.faults = MockFaults()
        try await waitUntil { observed.stream.delivery == .flowing ? true : nil }
        app.end()
    }

    @Test("Report 24: a session that was left on the glasses is told as such, and can be taken over")
    func report24() async throws {
        let (app, glasses) = try MockApp.worn()
        glasses.happen(.sessionLeak)
        try await waitUntil { app.hub.devices.count == 1 ? true : nil }
        let selector = SpecificDeviceSelector(device: glasses.deviceIdentifier)
        let refused = try app.hub.createSession(deviceSelector: selector)
        try refused.start()
        await refused.waitUntilStopped()
        #expect(refused.endReason?.check == .occupied)
        let taking = try app.hub.createSession(deviceSelector: selector, takingOver: true)
        try taking.start()
        try await waitUntil { taking.state == .started ? true : nil }
        app.end()
    }

    @Test("Report 26: a photo that the glasses refuse is told, and the pictures go on")
    func report26() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        let refusal = Refusal(.occupied, "The microphone holds the link.", isRetryable: true)
        app.kit.faults = MockFaults(refusals: [.photo: refusal])
        #expect(observed.stream.capturePhoto(format: .jpeg))
        try await waitUntil {
            observed.told.failures == [StreamFailure(.photoCaptureFailed, because: refusal)] ? true : nil
        }
        try await observed.waitForFrame()
        #expect(observed.stream.state == .streaming)
        app.end()
    }

    @Test("Report 27: software that start() would refuse is never called compatible")
    func report27() async throws {
        let (app, glasses) = try MockApp.worn()
        let device = try await waitUntil { app.hub.deviceForIdentifier(glasses.deviceIdentifier) }
        #expect(device.compatibility() == .compatible)
        glasses.setCompatibility(.deviceUpdateRequired)
        try await waitUntil { device.compatibility() == .deviceUpdateRequired ? true : nil }
        let selector = SpecificDeviceSelector(device: device.identifier)
        #expect(throws: DeviceSessionError.noEligibleDevice) {
            try app.hub.createSession(deviceSelector: selector).start()
        }
        glasses.setCompatibility(.compatible)
        try await waitUntil { device.compatibility() == .compatible ? true : nil }
        let session = try app.hub.createSession(deviceSelector: selector)
        try session.start()
        try await waitUntil { session.state == .started ? true : nil }
        app.end()
    }

    @Test("Report 30: after a lost key frame the toolkit asks for one, and the pictures come back")
    func report30() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        glasses.happen(.keyFrameLoss)
        let before = observed.told.frames
        try await waitUntil { observed.told.frames > before + 3 ? true : nil }
        #expect(observed.errors.isEmpty && observed.stream.state == .streaming)
        app.end()
    }

    @Test("Report 31: a lost trust record ends the session, and the registration is available again")
    func report31() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        app.kit.dropTrust()
        await observed.session.waitUntilStopped()
        #expect(observed.session.endReason?.check == .trust)
        try await waitUntil { app.hub.registrationState == .available ? true : nil }
        try await app.hub.startRegistration()
        try await waitUntil { app.hub.devices.count == 1 ? true : nil }
        app.end()
    }

    @Test("Report 33: unfolding brings the link back, and a new session works, several times")
    func report33() async throws {
        let (app, glasses) = try MockApp.worn()
        for _ in 0..<3 {
            let session = try await app.startedSession(on: glasses)
            glasses.fold()
            await session.waitUntilStopped()
            glasses.unfold()
            glasses.don()
            let device = try #require(app.hub.deviceForIdentifier(glasses.deviceIdentifier))
            try await waitUntil { device.linkState == .connected ? true : nil }
        }
        app.end()
    }

    @Test("Report 35: a camera can be removed and added again in one session")
    func report35() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        for _ in 0..<3 {
            let old = observed.session
            await observed.stopCamera()
            let camera = try #require(try old.addCamera(config: StreamConfiguration()))
            camera.stream.start()
            try await waitUntil { camera.stream.state == .streaming ? true : nil }
            camera.stop()
            await camera.waitUntilStopped()
        }
        app.end()
    }

    @Test("Report 36: on a slow link old pictures give way, so that the delay stays bounded")
    func report36() async throws {
        let recorder = LinkRecorder()
        // A tenth of what 360 by 640 at 30 a second needs.
        recorder.stage.operate(.faultsSet(MockFaults(linkRate: 70_000)))
        recorder.stream()
        let arrived = try await recorder.wait("pictures") { events -> [LinkFrame]? in
            events.frames.count >= 5 ? events.frames : nil
        }
        recorder.end()
        // Each takes a third of a second: two that wait and one that is sent are a second, whatever has been made meanwhile.
        let times = arrived.map { Double($0.time) / 1e9 }
        for (first, second) in zip(times.dropFirst(2), times.dropFirst(3)) { #expect(second - first > 0.2) }
        let numbers = try arrived.map { try #require(FeedTests.number($0)) }
        #expect(Set(numbers).count == numbers.count && numbers == numbers.sorted())
    }

    @Test("Report 37: a session waits for glasses that are just being connected")
    func report37() async throws {
        let (app, glasses) = try MockApp.worn()
        let device = try await waitUntil { app.hub.deviceForIdentifier(glasses.deviceIdentifier) }
        glasses.happen(.link(.connecting))
        try await waitUntil { device.linkState == .connecting ? true : nil }
        let session = try app.hub.createSession(deviceSelector: SpecificDeviceSelector(device: device.identifier))
        try session.start()
        #expect(session.state == .starting)
        glasses.happen(.link(.connected))
        try await waitUntil { session.state == .started ? true : nil }
        app.end()
    }

    @Test("Report 38: a camera that is let go of while it stops is stopped all the same, and the next one starts")
    func report38() async throws {
        let (app, glasses) = try MockApp.worn()
        let session = try await app.startedSession(on: glasses)
        var camera = try session.addCamera(config: StreamConfiguration())
        camera?.stream.start()
        try await waitUntil { camera?.stream.state == .streaming ? true : nil }
        camera?.stop()
        camera = nil
        let next = try await waitUntil {
            do throws(DeviceSessionError) { return try session.addCamera(config: StreamConfiguration()) } catch {
                #expect(error == .capabilityAlreadyActive)
                return nil
            }
        }
        next.stream.start()
        try await waitUntil { next.stream.state == .streaming ? true : nil }
        app.end()
    }

    @Test("Report 39: a link that blinks changes no choice, and the terminal state is always told")
    func report39() async throws {
        let (app, glasses) = try MockApp.worn()
        let observed = try await ObservedStream(app, glasses)
        let selector = AutoDeviceSelector(wearables: app.hub)
        try await waitUntil { selector.activeDevice == glasses.deviceIdentifier ? true : nil }
        glasses.happen(.link(.connecting))
        glasses.happen(.link(.connected))
        await app.kit.stage.settle()
        #expect(selector.activeDevice == glasses.deviceIdentifier)
        #expect(observed.stream.state == .streaming)
        observed.session.stop()
        try await observed.wait(.stopped)
        try await observed.wait(session: .stopped)
        app.end()
    }

    @Test("Report 40: glasses that are not worn refuse a session with that reason")
    func report40() async throws {
        let app = MockApp()
        app.kit.enable()
        let glasses = try app.kit.pairGlasses(model: .rayBanMeta)
        glasses.powerOn()
        glasses.unfold()
        try await waitUntil { app.hub.devices.count == 1 ? true : nil }
        let session = try app.hub.createSession(
            deviceSelector: SpecificDeviceSelector(device: glasses.deviceIdentifier))
        try session.start()
        #expect(throws: DeviceSessionError.self) { try session.addCamera(config: StreamConfiguration()) }
        await session.waitUntilStopped()
        #expect(session.endReason == .notWorn)
        app.end()
    }
}
