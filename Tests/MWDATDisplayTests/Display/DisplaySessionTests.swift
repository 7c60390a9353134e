import MWDATCore
import Synchronization
import TestLink
import Testing

@testable import MWDATDisplay

/// The display as a part of a session, with glasses at the other end of the link.
@Suite(.timeLimit(.minutes(1))) struct DisplaySessionTests {
    private let link: TestLink
    private let time = ManualTimekeeper()
    private let hub: WearablesHub

    init() {
        self.init(.metaRayBanDisplay)
    }

    private init(_ type: DeviceType) {
        link = TestLink(devices: [.test(type: type)])
        hub = .test(link, timekeeper: time)
    }

    private func makeSession() async throws -> DeviceSession {
        for await devices in hub.devicesStream() where !devices.isEmpty { break }
        return try hub.createSession(deviceSelector: SpecificDeviceSelector(device: "glasses-1"))
    }

    /// A session that has started.
    private func startedSession() async throws -> DeviceSession {
        let session = try await makeSession()
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

    @Test func aDisplayOfAStartedSessionShowsAViewAndHearsItsTaps() async throws {
        let session = try await startedSession()
        let display = try await startedDisplay(session)
        let (taps, tap) = AsyncStream.makeStream(of: String.self)
        try await display.send(FlexBox { Button(label: "Stop") { tap.yield("stop") } })
        link.deliver(.viewTapped(session.linkSession, element: "e1"))
        for await name in taps {
            #expect(name == "stop")
            break
        }
        try await display.clearDisplay()
        session.stop()
        await session.waitUntilStopped()
        await display.waitUntilStopped()
        #expect(display.endReason == nil)
        #expect(link.commands.suffix(2) == [.stopDisplay(session.linkSession), .closeSession(session.linkSession)])
    }

    @Test func aSecondDisplayIsRefusedUntilTheFirstHasStopped() async throws {
        let session = try await startedSession()
        let first = try await startedDisplay(session)
        #expect(throws: DeviceSessionError.capabilityAlreadyActive) { try session.addDisplay() }
        first.stop()
        await first.waitUntilStopped()
        let second = try await startedDisplay(session)
        #expect(second.state == .started)
        session.stop()
        await session.waitUntilStopped()
    }

    @Test func aDisplayNeedsAStartedSession() async throws {
        let session = try await makeSession()
        #expect(throws: DeviceSessionError.sessionIdle) { try session.addDisplay() }
        session.stop()
        await session.waitUntilStopped()
        #expect(throws: DeviceSessionError.sessionAlreadyStopped) { try session.addDisplay() }
    }

    @Test func glassesWithoutADisplaySaySo() async throws {
        let other = Self(.rayBanMeta)
        let session = try await other.startedSession()
        #expect(
            throws: DeviceSessionError.unexpectedError("Test glasses has no display. Choose glasses that have one.")
        ) {
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
        link.deliver(.sessionEnded(session.linkSession, Refusal(.hinges, "The glasses are folded.", isRetryable: true)))
        await session.waitUntilStopped()
        await display.waitUntilStopped()
        #expect(display.endReason?.check == .hinges)
        hub.settle()
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
        link.ignore { command in
            switch command {
            case .startDisplay, .stopDisplay: true
            default: false
            }
        }
        let session = try await startedSession()
        let display = try session.addDisplay()
        let states = display.statePublisher.stream
        display.start()
        hub.settle()
        time.advance(by: .seconds(5))
        hub.settle()
        #expect(display.state == .stopping)
        time.advance(by: .seconds(2))
        var seen: [DisplayState] = []
        for await state in states { seen.append(state) }
        #expect(seen == [.stopped, .starting, .stopping, .stopped])
        #expect(display.endReason?.check == .timeout)
        #expect(session.state == .started)
        let another = try session.addDisplay()
        #expect(another.state == .stopped)
        session.stop()
        await session.waitUntilStopped()
    }
}
