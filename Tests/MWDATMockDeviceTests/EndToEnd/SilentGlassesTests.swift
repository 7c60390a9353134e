import Foundation
import MWDATCamera
import MWDATCore
import MWDATDisplay
import TestLink
import Testing

@testable import MWDATMockDevice

/// Reports of the field in which the glasses or their companion do not answer. The toolkit's clock is moved by the test.
@Suite("Reports of the field on mock glasses that are silent", .serialized)
struct SilentGlassesTests {
    private let time = ManualTimekeeper()
    private let app: MockApp

    init() {
        app = MockApp(timekeeper: time)
        app.kit.enable()
    }

    private func worn(model: GlassesModel = .rayBanMeta) throws -> any MockGlasses {
        let glasses = try app.kit.pairGlasses(model: model)
        glasses.don()
        return glasses
    }

    /// Moves the clock a second at a time until `body` gives something.
    @discardableResult
    private func advance<Value>(_ body: () -> Value?) async throws -> Value {
        try await waitUntil {
            if let value = body() { return value }
            time.advance(by: .seconds(1))
            app.hub.settle()
            return nil
        }
    }

    @Test("Report 2: a registration that nobody answers times out, and the state is available again")
    func report2() async throws {
        app.kit.enable(config: MockDeviceKitConfig(initiallyRegistered: false))
        app.kit.faults = MockFaults(unanswered: [.registration])
        try await waitUntil { app.hub.readiness().companionRefusal == nil ? true : nil }
        let hub = app.hub
        let ended = Log<RegistrationError?>()
        let call = Task {
            do throws(RegistrationError) {
                try await hub.startRegistration()
                ended.append(nil)
            } catch {
                ended.append(error)
            }
        }
        try await waitUntil { hub.registrationState == .registering ? true : nil }
        let error = try await advance { ended.all.first }
        #expect(error == .timeout)
        #expect(hub.registrationState == .available)
        call.cancel()
        app.end()
    }

    @Test("Report 11: a stream without a first picture times out, and starts once the camera is free")
    func report11() async throws {
        let glasses = try worn()
        let session = try await app.startedSession(on: glasses)
        app.kit.faults = MockFaults(stopsFrames: true)
        let camera = try #require(try session.addCamera(config: StreamConfiguration()))
        let failures = Log<StreamFailure>()
        let token = camera.stream.failurePublisher.listen { failures.append($0) }
        camera.stream.start()
        try await waitUntil { camera.stream.state == .starting ? true : nil }
        let failure = try await advance { failures.all.first }
        #expect(failure.error == .timeout)
        try await waitUntil { camera.stream.state == .stopped ? true : nil }
        app.kit.faults = MockFaults()
        camera.stream.start()
        try await waitUntil { camera.stream.state == .streaming ? true : nil }
        await token.cancel()
        app.end()
    }

    @Test("Report 18: a permission whose callback comes late is granted all the same")
    func report18() async throws {
        app.kit.enable(config: MockDeviceKitConfig(initialPermissionsGranted: false))
        _ = try worn()
        try await waitUntil { app.hub.devices.count == 1 ? true : nil }
        app.kit.faults = MockFaults(unanswered: [.permissionRequest])
        let hub = app.hub
        let answers = Log<Result<PermissionStatus, PermissionError>>()
        let call = Task {
            do throws(PermissionError) {
                answers.append(.success(try await hub.requestPermission(.camera)))
            } catch {
                answers.append(.failure(error))
            }
        }
        try await waitUntil { app.kit.stage.look { !$0.openRequests.isEmpty } ? true : nil }
        let url = try #require(URL(string: "mock-app://?metaWearablesAction=permission&permission_granted=true"))
        #expect(try await hub.handleUrl(url))
        try await waitUntil { answers.all.isEmpty ? nil : true }
        #expect(answers.all == [.success(.granted)])
        call.cancel()
        app.end()
    }

    @Test("Report 26: an accepted photo that never comes fails within its bound, and the pictures go on")
    func report26() async throws {
        let observed = try await ObservedStream(app, try worn())
        app.kit.faults = MockFaults(unanswered: [.photo])
        #expect(observed.stream.capturePhoto(format: .jpeg))
        let failure = try await advance { observed.told.failures.first }
        #expect(failure.error == .photoCaptureFailed && failure.reason.check == .timeout)
        app.end()
    }

    @Test("Report 29: a stream whose pictures stay away is told to stall, ends, and starts anew")
    func report29() async throws {
        let observed = try await ObservedStream(app, try worn())
        app.kit.faults = MockFaults(stopsFrames: true)
        // A picture may be on its way.
        await app.kit.stage.settle()
        let failure = try await advance { observed.told.failures.first }
        #expect(failure.error == .videoStreamingError)
        try await observed.wait(.stopped)
        app.kit.faults = MockFaults()
        observed.stream.start()
        try await observed.wait(.streaming)
        app.end()
    }

    @Test("Report 34: a display that never starts is stopped, with a reason")
    func report34() async throws {
        let session = try await app.startedSession(on: try worn(model: .metaRayBanDisplay))
        app.kit.faults = MockFaults(unanswered: [.display])
        let display = try session.addDisplay()
        display.start()
        try await advance { display.state == .stopped && display.endReason != nil ? true : nil }
        #expect(display.endReason?.check == .timeout)
        app.end()
    }

    @Test("A session that the glasses do not answer stops within its bound, and the next one starts")
    func silentSession() async throws {
        let glasses = try worn()
        try await waitUntil { app.hub.devices.count == 1 ? true : nil }
        app.kit.faults = MockFaults(unanswered: [.session])
        let selector = SpecificDeviceSelector(device: glasses.deviceIdentifier)
        let session = try app.hub.createSession(deviceSelector: selector)
        try session.start()
        try await advance { session.state == .stopped ? true : nil }
        #expect(session.endReason?.check == .timeout)
        app.kit.faults = MockFaults()
        let next = try app.hub.createSession(deviceSelector: selector)
        try next.start()
        try await waitUntil { next.state == .started ? true : nil }
        app.end()
    }
}
