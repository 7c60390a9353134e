import Dispatch
import MWDATCore
import Synchronization
import Testing

@testable import MWDATDisplay

/// The display as a part of a session, with glasses at the other end of the link.
@Suite(.timeLimit(.minutes(1))) struct DisplaySessionTests {
    private let glasses: DisplayGlasses
    private let hub: WearablesHub

    init() {
        self.init(glasses: DisplayGlasses())
    }

    private init(glasses: DisplayGlasses) {
        self.glasses = glasses
        hub = WearablesHub(
            link: glasses,
            configuration: Configuration(
                bundleIdentifier: "org.example.display", appName: "Display", appLinkURLScheme: "display://"))
    }

    /// A session that has started.
    private func startedSession() async throws -> DeviceSession {
        for await devices in hub.devicesStream() where !devices.isEmpty { break }
        let session = try hub.createSession(deviceSelector: SpecificDeviceSelector(device: "glasses"))
        try session.start()
        for await state in session.stateStream() where state == .started { break }
        return session
    }

    private func startedDisplay(_ session: DeviceSession) async throws -> Display {
        let display = try session.addDisplay()
        let states = display.statePublisher.stream
        display.start()
        for await state in states where state == .started { break }
        return display
    }

    private func stopped(_ display: Display) async {
        for await state in display.statePublisher.stream where state == .stopped { break }
    }

    @Test func aDisplayOfAStartedSessionShowsAViewAndHearsItsTaps() async throws {
        let session = try await startedSession()
        let display = try await startedDisplay(session)
        let (taps, tap) = AsyncStream.makeStream(of: String.self)
        try await display.send(FlexBox { Button(label: "Stop") { tap.yield("stop") } })
        glasses.tell(.viewTapped(session.linkSession, element: "e1"))
        for await name in taps {
            #expect(name == "stop")
            break
        }
        try await display.clearDisplay()
        session.stop()
        await session.waitUntilStopped()
        await stopped(display)
        #expect(display.endReason == nil)
        let kinds = glasses.commands.suffix(2)
        #expect(Array(kinds) == [.stopDisplay(session.linkSession), .closeSession(session.linkSession)])
    }

    @Test func aSecondDisplayIsRefusedUntilTheFirstHasStopped() async throws {
        let session = try await startedSession()
        let first = try await startedDisplay(session)
        #expect(throws: DeviceSessionError.capabilityAlreadyActive) { try session.addDisplay() }
        first.stop()
        await stopped(first)
        let second = try await startedDisplay(session)
        #expect(second.state == .started)
        session.stop()
        await session.waitUntilStopped()
    }

    @Test func aDisplayNeedsAStartedSession() async throws {
        for await devices in hub.devicesStream() where !devices.isEmpty { break }
        let session = try hub.createSession(deviceSelector: SpecificDeviceSelector(device: "glasses"))
        #expect(throws: DeviceSessionError.sessionIdle) { try session.addDisplay() }
        session.stop()
        await session.waitUntilStopped()
        #expect(throws: DeviceSessionError.sessionAlreadyStopped) { try session.addDisplay() }
    }

    @Test func glassesWithoutADisplaySaySo() async throws {
        let other = Self(glasses: DisplayGlasses(.rayBanMeta))
        let session = try await other.startedSession()
        #expect(throws: DeviceSessionError.unexpectedError("Glasses has no display. Choose glasses that have one.")) {
            try session.addDisplay()
        }
        session.stop()
        await session.waitUntilStopped()
    }

    @Test func aSessionThatTheGlassesEndTakesItsDisplayAlongWithTheReason() async throws {
        let session = try await startedSession()
        let display = try await startedDisplay(session)
        let errors = Mutex<[DisplayError]>([])
        let token = display.errorPublisher.listen { error in errors.withLock { $0.append(error) } }
        glasses.tell(.sessionEnded(session.linkSession, Refusal(.hinges, "The glasses are folded.", isRetryable: true)))
        await session.waitUntilStopped()
        await stopped(display)
        #expect(display.endReason?.check == .hinges)
        hub.announcements.sync {}
        #expect(errors.withLock { $0 } == [.deviceDisconnected])
        await token.cancel()
    }

    @Test func aDisplayThatTheAppDropsStaysUntilItHasStopped() async throws {
        let session = try await startedSession()
        let states: AsyncStream<DisplayState>
        do {
            let display = try await startedDisplay(session)
            states = display.statePublisher.stream
            display.stop()
        }
        var seen: [DisplayState] = []
        for await state in states { seen.append(state) }
        #expect(seen.last == .stopped)
        session.stop()
        await session.waitUntilStopped()
    }

    @Test("Report 34: a display that never starts ends in `stopped`, and its session stays usable")
    func report34() async throws {
        let silent = Self(glasses: DisplayGlasses(silence: [.start, .stop]))
        let session = try await silent.startedSession()
        let display = try session.addDisplay()
        let states = display.statePublisher.stream
        let begin = ContinuousClock.now
        display.start()
        var seen: [DisplayState] = []
        for await state in states { seen.append(state) }
        #expect(seen == [.stopped, .starting, .stopping, .stopped])
        #expect(ContinuousClock.now - begin >= .seconds(5))
        #expect(display.endReason?.check == .timeout)
        #expect(session.state == .started)
        let another = try session.addDisplay()
        #expect(another.state == .stopped)
        session.stop()
        await session.waitUntilStopped()
    }
}
