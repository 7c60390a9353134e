import Foundation
import MWDATCamera
import MWDATCore
import SeededRandom
import Synchronization
import TestLink

@testable import MWDATMockDevice

/// One sequence of mock operations and API calls, all of them drawn from a seed.
final class RandomSequence {
    /// What was done, and what came of it.
    struct Figures: Sendable, Equatable {
        var operations = 0
        var calls = 0
        var sessions = 0
        var streams = 0
        var photos = 0
        var requests = 0
        var frames = 0

        static func + (lhs: Figures, rhs: Figures) -> Figures {
            Figures(
                operations: lhs.operations + rhs.operations, calls: lhs.calls + rhs.calls,
                sessions: lhs.sessions + rhs.sessions, streams: lhs.streams + rhs.streams,
                photos: lhs.photos + rhs.photos, requests: lhs.requests + rhs.requests, frames: lhs.frames + rhs.frames)
        }
    }

    static let steps = 24

    private let seed: UInt64
    private var random: SeededGenerator
    private let time = ManualTimekeeper()
    private let app: MockApp
    private var glasses: [any MockGlasses] = []
    private var sessions: [WatchedSession] = []
    private let requests = OpenRequests()
    private var figures = Figures()

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        app = MockApp(decoder: nil, timekeeper: time)
    }

    /// Does all of it, and answers what did not end; empty when all is well.
    func run() async throws -> (figures: Figures, open: [String]) {
        app.kit.enable(
            config: MockDeviceKitConfig(initiallyRegistered: chance(90), initialPermissionsGranted: chance(90)))
        pair()
        for _ in 0..<Self.steps {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<35: operate()
            case 35..<60: call()
            default: try await progress()
            }
            if chance(60) { await settle() }
        }
        let open = try await finish()
        figures.requests = requests.begun
        figures.frames = sessions.reduce(0) { $0 + $1.frames }
        app.hub.shutDown()
        return (figures, open)
    }

    // MARK: The end

    /// Stops everything with the faults still there: bounds alone end what the glasses do not.
    private func finish() async throws -> [String] {
        for watched in sessions { watched.session.stop() }
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        var isDisabled = false
        while ContinuousClock.now < deadline {
            let open = sessions.flatMap(\.open) + requests.open
            if open.isEmpty { break }
            time.advance(by: .seconds(1))
            app.hub.settle()
            try await Task.sleep(for: .milliseconds(1))
            // What is still open after two minutes of the toolkit's time is left to the end of the kit.
            if !isDisabled, time.now > Uptime(nanoseconds: 600_000_000_000) {
                await app.kit.disable()
                isDisabled = true
            }
        }
        if !isDisabled { await app.kit.disable() }
        return (sessions.flatMap(\.open) + requests.open).map { "seed \(seed): \($0)" }
    }

    // MARK: Mock operations

    private func operate() {
        figures.operations += 1
        guard let glasses = glasses.randomElement(using: &random) else { return pair() }
        switch Int.random(in: 0..<24, using: &random) {
        case 0: glasses.powerOn()
        case 1: glasses.powerOff()
        case 2, 3, 4: glasses.don()
        case 5: glasses.doff()
        case 6: glasses.fold()
        case 7: glasses.unfold()
        case 8, 9: glasses.services.captouch.tap()
        case 10: glasses.services.captouch.tapAndHold()
        case 11: glasses.setBatteryLevel(Int.random(in: -5...105, using: &random))
        case 12: glasses.setThermalLevel(pick(ThermalLevel.allCases))
        case 13: glasses.setChargingState(pick(ChargingState.allCases))
        case 14: app.kit.permissions.set(pick(Permission.allCases), pick(PermissionStatus.allCases))
        case 15:
            app.kit.permissions.setRequestResult(pick(Permission.allCases), result: pick(PermissionStatus.allCases))
        case 16: app.kit.faults = faults()
        case 17: app.kit.behavior = MockBehavior(donRequirement: pick(MockBehavior.DonRequirement.allCases))
        case 18: glasses.happen(incident())
        case 19: glasses.setCompatibility(pick(Compatibility.allCases))
        case 20: glasses.services.camera.setCameraFeed(fileURL: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        case 21: glasses.services.camera.setTestPattern()
        case 22: pairOrUnpair(glasses)
        default: if chance(50) { app.kit.dropTrust() } else { enableAgain() }
        }
    }

    private func enableAgain() {
        app.kit.enable()
        glasses = []
        pair()
    }

    private func pair() {
        do {
            let paired = try app.kit.pairGlasses(model: pick(GlassesModel.allCases))
            if chance(80) { paired.don() }
            glasses.append(paired)
        } catch {
            app.kit.enable()
        }
    }

    private func pairOrUnpair(_ glasses: any MockGlasses) {
        guard chance(30) else { return pair() }
        app.kit.unpairDevice(glasses)
        self.glasses.removeAll { $0.deviceIdentifier == glasses.deviceIdentifier }
    }

    private func faults() -> MockFaults {
        guard chance(70) else { return MockFaults() }
        let refusal = Refusal(pick(Refusal.Check.allCases), "Drawn.", isRetryable: true)
        return MockFaults(
            unanswered: chance(40) ? [pick(MockFaults.Request.allCases)] : [],
            refusals: chance(30) ? [pick(MockFaults.Request.allCases): refusal] : [:],
            answerDelay: chance(30) ? .milliseconds(Int.random(in: 1...30, using: &random)) : .zero,
            stopsFrames: chance(15), runsOutOfMemory: chance(15), linkRate: chance(20) ? 500_000 : nil)
    }

    private func incident() -> MockIncident {
        let refusal = Refusal(pick(Refusal.Check.allCases), "Drawn.", isRetryable: true)
        return pick([
            .link(pick(LinkState.allCases)), .crash, .sessionEnd(refusal), .sessionWarning(refusal),
            .streamEnd(refusal), .keyFrameLoss, .sessionLeak,
        ])
    }

    // MARK: API calls

    private func call() {
        figures.calls += 1
        guard let watched = sessions.randomElement(using: &random), chance(80) else { return makeSession() }
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1, 2: watched.start()
        case 3: watched.session.stop()
        case 4, 5: watched.addCamera(pick([.raw, .raw, .hvc1]))
        case 6, 7, 8: if watched.startStream() { figures.streams += 1 }
        case 9: watched.stopStream()
        case 10: watched.stopCamera()
        case 11, 12: if watched.capturePhoto() { figures.photos += 1 }
        case 13: time.advance(by: .milliseconds(Int.random(in: 1...3_000, using: &random)))
        case 14: app.hub.setAppInBackground(chance(50))
        default: request()
        }
    }

    /// Does what an app would do next, and waits a moment for what comes of it.
    private func progress() async throws {
        figures.calls += 1
        guard let watched = sessions.last, watched.session.state != .stopped else {
            // Whoever wants a session puts the glasses on.
            for glasses in glasses { glasses.don() }
            await settle()
            return makeSession()
        }
        switch watched.next {
        case .start: watched.start()
        case .camera: watched.addCamera(.raw)
        case .stream: if watched.startStream() { figures.streams += 1 }
        case .photo: if watched.capturePhoto() { figures.photos += 1 }
        case .wait: break
        }
        await settle()
        for _ in 0..<15 where watched.isUnderWay { try await Task.sleep(for: .milliseconds(2)) }
    }

    /// Waits for what is on its way to the glasses and back.
    private func settle() async {
        app.hub.settle()
        await app.kit.stage.settle()
        app.hub.settle()
    }

    private func makeSession() {
        let identifier = glasses.randomElement(using: &random)?.deviceIdentifier ?? "none"
        let selector: any DeviceSelector =
            chance(60) ? SpecificDeviceSelector(device: identifier) : AutoDeviceSelector(wearables: app.hub)
        do throws(DeviceSessionError) {
            let session = try app.hub.createSession(deviceSelector: selector, takingOver: chance(40))
            figures.sessions += 1
            sessions.append(WatchedSession(session))
        } catch {
            // A refusal is an answer.
            return
        }
    }

    private func request() {
        let hub = app.hub
        switch Int.random(in: 0..<5, using: &random) {
        case 0: requests.begin("registration") { _ = try await hub.startRegistration() }
        case 1: requests.begin("unregistration") { _ = try await hub.startUnregistration() }
        case 2: requests.begin("check") { _ = try await hub.checkPermissionStatus(.camera) }
        case 3: requests.begin("permission") { _ = try await hub.requestPermission(.camera) }
        default: requests.begin("update") { try await hub.openFirmwareUpdate() }
        }
    }

    // MARK: Chance

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }
}
