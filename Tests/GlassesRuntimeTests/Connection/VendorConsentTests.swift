import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct VendorConsentTests {
    private struct Harness {
        let clock = ManualClock()
        let companion: SimulatedRegistration
        let device: SimulatedDevice
        let log: EventLog
        let connection: ConnectionDriver

        init(_ companion: SimulatedRegistration, usesCamera: Bool = false) {
            let device = SimulatedDevice(clock: clock.port, registration: companion)
            self.companion = companion
            self.device = device
            log = EventLog(
                logLevel: .verbose, interceptors: [], clock: clock.port, mirror: nil,
                start: { body in Task { await body() } })
            connection = ConnectionDriver(
                load: { .success(device) }, clock: clock.port, events: log,
                background: { body in Task { await body() } }, usesCamera: usesCamera, onTransport: { _ in },
                onState: { _ in })
        }

        /// The messages of the log, in order.
        func messages() async -> [String] {
            await log.snapshotEvents().compactMap { if case .log(_, let message, _) = $0 { message } else { nil } }
        }
    }

    @Test func anAppThatIsNotRegisteredIsRegisteredByItsURLBeforeTheDeviceIsConnected() async {
        let harness = Harness(SimulatedRegistration())
        async let connected = harness.connection.connect(deviceId: nil)
        await eventually("the companion asks") { harness.companion.openQuestions == 1 }
        #expect(harness.connection.state.current == .notRegistered)
        #expect(await harness.connection.handleUrl("https://example.org") == false)
        #expect(await harness.connection.handleUrl(SimulatedRegistration.yes))
        #expect(await connected.failure == nil)
        #expect(harness.connection.state.current.active != nil)
    }

    @Test func aRefusedRegistrationFailsTheConnectAndLeavesTheStateNotRegistered() async {
        let harness = Harness(SimulatedRegistration())
        async let connected = harness.connection.connect(deviceId: nil)
        await eventually("the companion asks") { harness.companion.openQuestions == 1 }
        #expect(await harness.connection.handleUrl(SimulatedRegistration.no))
        #expect(await connected.failure == .registrationRequired)
        #expect(harness.connection.state.current == .notRegistered)
        #expect(await harness.messages().contains("registration.refused"))
    }

    @Test func aRegisteredAppIsAskedNothing() async {
        let harness = Harness(SimulatedRegistration(isRegistered: true))
        #expect(await harness.connection.connect(deviceId: nil).failure == nil)
        #expect(harness.companion.openQuestions == 0)
        #expect(harness.companion.requests.isEmpty)
    }

    @Test func aDeclaredCameraIsAskedForOnceAfterTheConnect() async {
        let harness = Harness(SimulatedRegistration(isRegistered: true), usesCamera: true)
        async let connected = harness.connection.connect(deviceId: nil)
        await eventually("the wearer is asked") { harness.companion.openQuestions == 1 }
        #expect(harness.connection.state.current.active != nil)
        #expect(await harness.connection.handleUrl(SimulatedRegistration.no))
        #expect(await connected.failure == nil)
        _ = await harness.connection.reconnect(deviceId: nil)
        #expect(harness.companion.requests == [.camera])
    }

    @Test func aGrantedCameraIsNotAskedFor() async {
        let harness = Harness(SimulatedRegistration(isRegistered: true, granted: [.camera]), usesCamera: true)
        #expect(await harness.connection.connect(deviceId: nil).failure == nil)
        #expect(harness.companion.requests.isEmpty)
    }

    @Test func aWearerWhoDoesNotAnswerHoldsTheConnectUpForThirtySecondsAtMost() async {
        let harness = Harness(SimulatedRegistration(isRegistered: true), usesCamera: true)
        let hasEnded = Mutex(false)
        let connecting = Task {
            let result = await harness.connection.connect(deviceId: nil)
            hasEnded.withLock { $0 = true }
            return result.failure
        }
        await eventually("the wearer is asked") { harness.companion.openQuestions == 1 }
        // Not behind the question:
        await harness.connection.disconnect()
        #expect(!hasEnded.withLock { $0 })
        await eventually("the limit ends the wait") {
            harness.clock.advance(by: .seconds(31))
            return hasEnded.withLock { $0 }
        }
        #expect(await connecting.value == nil)
        #expect(harness.companion.open(SimulatedRegistration.no))
    }

    @Test func whatTheDeviceTellsIsToldToTheAppAndAlarmsOnce() async {
        let harness = Harness(SimulatedRegistration(isRegistered: true))
        _ = await harness.connection.connect(deviceId: nil)
        harness.device.report(.powerChanged(DevicePower(thermal: .severe, hinges: .open)))
        harness.device.report(.powerChanged(DevicePower(thermal: .severe, hinges: .closed)))
        harness.device.report(.inputReceived(DeviceInput(.tap)))
        await eventually("all is told") { await harness.messages().contains("device.input") }
        let told = await harness.messages().filter { $0.hasPrefix("device.") || $0.hasPrefix("hardware.") }
        #expect(told == ["device.power", "hardware.alert", "device.power", "hardware.alert", "device.input"])
    }
}

@Suite struct HardwareAlertsTests {
    @Test func eachStepUpOfTheHeatAndEachFoldingIsToldOnce() {
        var alerts = HardwareAlerts()
        #expect(alerts.alerts(for: DevicePower(thermal: DevicePower.Thermal.none, hinges: .open)).isEmpty)
        #expect(alerts.alerts(for: DevicePower(thermal: .light)) == [.thermalWarning(severity: .light)])
        #expect(alerts.alerts(for: DevicePower(thermal: .light)).isEmpty)
        #expect(alerts.alerts(for: DevicePower(thermal: .emergency)) == [.thermalWarning(severity: .critical)])
        #expect(alerts.alerts(for: DevicePower(thermal: .moderate)).isEmpty)
        #expect(alerts.alerts(for: DevicePower(thermal: .severe)) == [.thermalWarning(severity: .severe)])
        #expect(alerts.alerts(for: DevicePower(hinges: .closed)) == [.hingesClosed])
        #expect(alerts.alerts(for: DevicePower(hinges: .closed)).isEmpty)
        #expect(alerts.alerts(for: DevicePower(hinges: .open)).isEmpty)
        #expect(alerts.alerts(for: DevicePower(hinges: .closed)) == [.hingesClosed])
    }
}
