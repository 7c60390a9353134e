import MWDATCore
import TestLink
import Testing

/// Public reports about sessions, by their number in the list of reports.
struct SessionReportTests {
    private let link = TestLink()
    private let clock = ManualTimekeeper()
    private let hub: WearablesHub

    init() { hub = .test(link, timekeeper: clock) }

    private func make(takingOver: Bool = false) throws -> DeviceSession {
        try hub.createSession(
            deviceSelector: SpecificDeviceSelector(device: "glasses-1"), takingOver: takingOver)
    }

    private func makeStarted(takingOver: Bool = false) throws -> DeviceSession {
        let session = try make(takingOver: takingOver)
        try session.start()
        hub.settle()
        return session
    }

    private func refuseSessions(_ check: Refusal.Check, unless takesOver: Bool = false) -> Refusal {
        let refusal = Refusal(check, "\(check) refuses", isRetryable: true)
        link.answer {
            guard case .openSession(let id, _, let takes) = $0 else { return nil }
            return takesOver && takes ? nil : [.sessionEnded(id, refusal)]
        }
        return refusal
    }

    @Test("Report 17: a refusal for the glasses' app is forgotten once a session starts") func report17() throws {
        let refusal = refuseSessions(.glassesApp)
        _ = try makeStarted()
        #expect(hub.readiness().lastRefusals[.session] == refusal)
        link.answer { if case .openSession(let id, _, _) = $0 { [.sessionStarted(id)] } else { nil } }
        let session = try makeStarted()
        #expect(session.state == .started)
        #expect(hub.readiness().lastRefusals[.session] == nil)
    }

    @Test("Report 17: that there is no update is another reason than a missing companion") func report17Update() async {
        link.answer {
            guard case .openUpdate(_, let request) = $0 else { return nil }
            return [.navigation(request, Refusal(.notFound, "There is no update.", isRetryable: false))]
        }
        await #expect(throws: NavigationError.metaAINotInstalled) { try await hub.openDATGlassesAppUpdate() }
        #expect(hub.readiness().lastRefusals[.navigation]?.check == .notFound)
    }

    @Test("Report 20: an error and the state after it agree whether the session goes on") func report20() throws {
        let session = try makeStarted()
        let seen = Log<(DeviceSessionError, DeviceSessionState)>()
        _ = session.errorPublisher.listen { [weak session] error in
            if let session { seen.append((error, session.state)) }
        }
        link.deliver(.sessionWarned(session.linkSession, Refusal(.thermal, "hot", isRetryable: true)))
        hub.settle()
        #expect(seen.all.map(\.0) == [.thermalCritical])
        #expect(seen.all.map(\.1) == [.started])
        #expect(!DeviceSessionError.thermalCritical.description.contains("ended"))
        link.deliver(.sessionEnded(session.linkSession, Refusal(.thermal, "too hot", isRetryable: true)))
        hub.settle()
        #expect(seen.all.last?.0 == .thermalEmergency)
        #expect(session.state == .stopped)
        #expect(DeviceSessionError.thermalEmergency.description.contains("ended"))
    }

    @Test("Report 24: a session that a dead process left on the glasses is recognised and taken over") func report24()
        throws
    {
        let refusal = refuseSessions(.occupied, unless: true)
        let refused = try makeStarted()
        #expect(refused.state == .stopped)
        #expect(refused.endReason == refusal)
        #expect(try makeStarted(takingOver: true).state == .started)
    }

    @Test("Report 24: a session that this process lost track of is recognised and taken over") func report24Own() throws
    {
        var lost: DeviceSession? = try makeStarted()
        weak let kept = lost
        lost = nil
        #expect(throws: DeviceSessionError.sessionAlreadyExists) { try make() }
        #expect(hub.readiness().devices.first?.hasSession == true)
        let session = try makeStarted(takingOver: true)
        #expect(session.state == .started)
        #expect(kept == nil)
        let numbers = link.commands.compactMap { command -> String? in
            switch command {
            case .openSession(_, _, let takesOver): takesOver ? "take over" : "open"
            case .closeSession: "close"
            default: nil
            }
        }
        #expect(numbers == ["open", "close", "take over"])
    }

    @Test("Report 24: also sessions that wait for the end of one that was taken over are taken over") func report24All()
        throws
    {
        link.ignore { if case .closeSession = $0 { true } else { false } }
        let first = try makeStarted()
        let waiting = try (0..<6).map { _ in try makeStarted(takingOver: true) }
        #expect(first.state == .stopping)
        #expect(waiting.dropLast().allSatisfy { $0.endReason != nil })
        #expect(waiting.last?.endReason == nil)
        clock.advance(by: .seconds(2))
        hub.settle()
        #expect(first.state == .stopped)
        #expect(waiting.dropLast().allSatisfy { $0.state == .stopped })
        #expect(waiting.last?.state == .started)
    }

    @Test("Report 24: a session that was never started and dropped holds nothing") func report24Idle() throws {
        _ = try make()
        _ = try make()
        #expect(hub.readiness().devices.first?.hasSession == false)
    }

    @Test("Report 33: unfolding brings the link back, and a new session works") func report33() throws {
        let first = try makeStarted()
        let folded = LinkDevice.test {
            $0.linkState = .disconnected
            $0.hingeState = .closed
        }
        link.deliver(.device(folded))
        link.deliver(.sessionEnded(first.linkSession, Refusal(.hinges, "folded", isRetryable: true)))
        hub.settle()
        #expect(first.state == .stopped)
        #expect(throws: DeviceSessionError.noEligibleDevice) { try make() }
        link.deliver(.device(.test()))
        hub.settle()
        #expect(first.state == .stopped)
        #expect(try makeStarted().state == .started)
    }

    @Test("Report 37: a start while the link comes up waits for it") func report37() throws {
        link.deliver(.device(.test { $0.linkState = .connecting }))
        let session = try makeStarted()
        #expect(session.state == .starting)
        #expect(link.openedSession == nil)
        link.deliver(.device(.test()))
        hub.settle()
        #expect(session.state == .started)
    }

    @Test("Report 37: a link that does not come up ends the start, and it may be tried again") func report37Timeout()
        throws
    {
        link.deliver(.device(.test { $0.linkState = .connecting }))
        let session = try makeStarted()
        clock.advance(by: .seconds(10))
        hub.settle()
        #expect(session.state == .stopped)
        #expect(session.endReason?.check == .link)
        #expect(session.endReason?.isRetryable == true)
        link.deliver(.device(.test()))
        #expect(try makeStarted().state == .started)
    }

    @Test("Report 39: the last state is always told, and the streams end") func report39() async throws {
        let session = try make()
        let states = Log<DeviceSessionState>()
        let token = session.statePublisher.listen { states.append($0) }
        let stream = session.stateStream()
        let errors = session.errorStream()
        try session.start()
        hub.settle()
        link.deliver(.sessionPaused(session.linkSession))
        link.deliver(.unavailable(Refusal(.transport, "gone", isRetryable: true)))
        hub.settle()
        var streamed: [DeviceSessionState] = []
        for await state in stream { streamed.append(state) }
        #expect(streamed == [.idle, .starting, .started, .paused, .stopping, .stopped])
        #expect(states.all == Array(streamed.dropFirst()))
        var told: [DeviceSessionError] = []
        for await error in errors { told.append(error) }
        #expect(told == [.unexpectedError("gone")])
        var late: [DeviceSessionState] = []
        for await state in session.stateStream() { late.append(state) }
        #expect(late == [.stopped])
        withExtendedLifetime(token) {}
    }

    @Test("Report 40: glasses that are not worn refuse with a reason of their own") func report40() throws {
        let refusal = refuseSessions(.worn)
        let session = try makeStarted()
        #expect(session.endReason == refusal)
        #expect(throws: DeviceSessionError.sessionAlreadyStopped) { try session.attach(TestCapability(.camera)) }
    }

    @Test("Report 40: a part cannot be added before the session has started") func report40Early() throws {
        link.ignore { if case .openSession = $0 { true } else { false } }
        let session = try make()
        #expect(throws: DeviceSessionError.sessionIdle) { try session.attach(TestCapability(.camera)) }
        try session.start()
        #expect(throws: DeviceSessionError.sessionIdle) { try session.attach(TestCapability(.camera)) }
    }

    @Test func aStartWithoutAnAnswerEndsAfterTenSeconds() throws {
        link.ignore { if case .openSession = $0 { true } else { false } }
        let session = try makeStarted()
        clock.advance(by: .seconds(10))
        hub.settle()
        #expect(session.state == .stopped)
        #expect(session.endReason?.check == .timeout)
        #expect(link.commands.last == .closeSession(session.linkSession))
    }

    @Test func glassesThatVanishWithoutAWordEndTheSessionAfterASecond() throws {
        let session = try makeStarted()
        link.deliver(.device(.test { $0.linkState = .disconnected }))
        clock.advance(by: .milliseconds(500))
        link.deliver(.device(.test()))
        clock.advance(by: .seconds(5))
        #expect(session.state == .started)
        link.deliver(.devices([]))
        clock.advance(by: .seconds(1))
        hub.settle()
        #expect(session.state == .stopped)
        #expect(session.endReason?.check == .link)
    }

    @Test func aLinkThatIsReplacedEndsSessionsAndKeepsListeners() async throws {
        let session = try makeStarted()
        let lists = Log<[DeviceIdentifier]>()
        let token = hub.addDevicesListener { lists.append($0) }
        let next = TestLink(devices: [.test("other")])
        hub.use(link: next)
        hub.settle()
        #expect(session.state == .stopped)
        #expect(session.endReason?.check == .transport)
        #expect(hub.devices == ["other"])
        #expect(lists.all == [[], ["other"]])
        link.deliver(.devices([.test("ghost")]))
        #expect(hub.devices == ["other"])
        #expect(!next.commands.contains(.closeSession(session.linkSession)))
        withExtendedLifetime(token) {}
    }

    @Test func theFirstErasStateOfASessionFollowsIt() async throws {
        let states = Log<SessionState>()
        let token = await hub.addDeviceSessionStateListener(forDeviceId: "glasses-1") { states.append($0) }
        let session = try makeStarted()
        link.deliver(.sessionPaused(session.linkSession))
        session.stop()
        await session.waitUntilStopped()
        hub.settle()
        #expect(states.all == [.waitingForDevice, .running, .paused, .stopped])
        var stream = hub.deviceSessionStateStream(for: "glasses-1").makeAsyncIterator()
        #expect(await stream.next() == .stopped)
        withExtendedLifetime(token) {}
    }

    @Test func everythingMayBeCalledFromInsideAListener() throws {
        let session = try make()
        let hub = hub
        _ = session.statePublisher.listen { [weak session] state in
            guard state == .started, let session else { return }
            _ = hub.readiness()
            _ = session.device
            session.stop()
        }
        try session.start()
        hub.settle()
        #expect(session.state == .stopped)
    }
}
