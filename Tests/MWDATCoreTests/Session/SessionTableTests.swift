import MWDATCore
import TestLink
import Testing

/// Every row of the documentation's table of session states, over a scripted link: the path, the error, the reason, the parts.
struct SessionTableTests {
    private let link: TestLink
    private let clock = ManualTimekeeper()
    private let hub: WearablesHub

    init() {
        link = TestLink()
        hub = .test(link, timekeeper: clock)
    }

    /// A session whose states and errors are written down.
    private struct Watched {
        let session: DeviceSession
        let states = Log<DeviceSessionState>()
        let errors = Log<DeviceSessionError>()
        let camera = TestCapability(.camera)

        init(_ session: DeviceSession) {
            self.session = session
            _ = session.statePublisher.listen { [states] in states.append($0) }
            _ = session.errorPublisher.listen { [errors] in errors.append($0) }
        }
    }

    private func make() throws -> Watched {
        Watched(try hub.createSession(deviceSelector: SpecificDeviceSelector(device: "glasses-1")))
    }

    /// A started session with a camera that stops when it is told to.
    private func makeStarted(paused: Bool = false) throws -> Watched {
        let watched = try make()
        try watched.session.start()
        hub.settle()
        try watched.session.attach(watched.camera)
        watched.camera.session = watched.session
        if paused { link.deliver(.sessionPaused(watched.session.linkSession)) }
        hub.settle()
        return watched
    }

    private func refusal(_ check: Refusal.Check) -> Refusal {
        Refusal(check, "\(check) is the reason", isRetryable: true)
    }

    @Test("S1: a session that was made is idle, with nothing in it") func s1() throws {
        let watched = try make()
        hub.settle()
        #expect(watched.session.state == .idle)
        #expect(watched.session.deviceId == "glasses-1")
        #expect(watched.states.all.isEmpty)
        #expect(link.openedSession == nil)
    }

    @Test("S2: a selector without glasses makes no session and throws noEligibleDevice") func s2() {
        link.deliver(.devices([]))
        let selector = AutoDeviceSelector(wearables: hub)
        #expect(throws: DeviceSessionError.noEligibleDevice) { try hub.createSession(deviceSelector: selector) }
        #expect(hub.readiness().lastRefusals[.session]?.check == .notFound)
    }

    @Test("S3: a second session with the same glasses throws sessionAlreadyExists") func s3() throws {
        let first = try make()
        #expect(throws: DeviceSessionError.sessionAlreadyExists) { try make() }
        first.session.stop()
        _ = try make()
    }

    @Test("S4: a start whose checks pass is starting") func s4() throws {
        link.ignore { if case .openSession = $0 { true } else { false } }
        let watched = try make()
        try watched.session.start()
        #expect(watched.session.state == .starting)
        hub.settle()
        #expect(watched.states.all == [.starting])
        #expect(link.commands.last == .openSession(watched.session.linkSession, device: "glasses-1", takesOver: false))
    }

    @Test(
        "S5: a start that fails a check throws, stays idle and may be tried again",
        arguments: [
            LinkDevice.test { $0.linkState = .disconnected }, .test { $0.compatibility = .deviceUpdateRequired },
            .test { $0.compatibility = .sdkUpdateRequired },
        ])
    func s5(_ unfit: LinkDevice) throws {
        let watched = try make()
        link.deliver(.device(unfit))
        #expect(throws: DeviceSessionError.noEligibleDevice) { try watched.session.start() }
        #expect(watched.session.state == .idle)
        link.deliver(.device(.test()))
        try watched.session.start()
        hub.settle()
        #expect(watched.session.state == .started)
    }

    @Test("S6: glasses that accept start the session, and parts may be added") func s6() throws {
        link.ignore { if case .openSession = $0 { true } else { false } }
        let watched = try make()
        try watched.session.start()
        #expect(throws: DeviceSessionError.sessionIdle) { try watched.session.attach(watched.camera) }
        link.deliver(.sessionStarted(watched.session.linkSession))
        try watched.session.attach(watched.camera)
        hub.settle()
        #expect(watched.states.all == [.starting, .started])
    }

    @Test(
        "S7: glasses that refuse stop the session, with a sentence and a reason",
        arguments: [Refusal.Check.worn, .trust, .occupied, .link])
    func s7(_ check: Refusal.Check) throws {
        let refusal = refusal(check)
        link.answer { if case .openSession(let id, _, _) = $0 { [.sessionEnded(id, refusal)] } else { nil } }
        let watched = try make()
        try watched.session.start()
        hub.settle()
        #expect(watched.states.all == [.starting, .stopping, .stopped])
        #expect(watched.errors.all == [.unexpectedError(refusal.message)])
        #expect(watched.session.endReason == refusal)
    }

    @Test("S8: an app on the glasses that is too old stops the session, and is told once") func s8() throws {
        let refusal = refusal(.glassesApp)
        link.answer { if case .openSession(let id, _, _) = $0 { [.sessionEnded(id, refusal)] } else { nil } }
        let watched = try make()
        try watched.session.start()
        hub.settle()
        #expect(watched.states.all == [.starting, .stopping, .stopped])
        #expect(watched.errors.all == [.datAppOnTheGlassesUpdateRequired])
    }

    @Test("S9: a tap pauses the session and what it carries") func s9() throws {
        let watched = try makeStarted()
        link.deliver(.sessionPaused(watched.session.linkSession))
        hub.settle()
        #expect(watched.states.all == [.starting, .started, .paused])
        #expect(watched.camera.calls == [.paused])
        #expect(watched.errors.all.isEmpty)
    }

    @Test("S10: a second tap goes on with the session and what it carries") func s10() throws {
        let watched = try makeStarted(paused: true)
        link.deliver(.sessionResumed(watched.session.linkSession))
        hub.settle()
        #expect(watched.states.all == [.starting, .started, .paused, .started])
        #expect(watched.camera.calls == [.paused, .resumed])
    }

    /// The link ends a session; the parts stop first, then the session.
    private func expectEnd(_ watched: Watched, _ refusal: Refusal?, errors: [DeviceSessionError]) {
        link.deliver(.sessionEnded(watched.session.linkSession, refusal))
        hub.settle()
        #expect(watched.states.all.suffix(2) == [.stopping, .stopped])
        #expect(watched.errors.all == errors)
        #expect(watched.session.endReason == refusal)
        #expect(watched.camera.calls.last == .ending(refusal))
        #expect(!link.commands.contains(.closeSession(watched.session.linkSession)))
    }

    @Test("S11: closed hinges stop the session and what it carries", arguments: [false, true]) func s11(paused: Bool)
        throws
    {
        let refusal = refusal(.hinges)
        expectEnd(try makeStarted(paused: paused), refusal, errors: [.unexpectedError(refusal.message)])
    }

    @Test(
        "S12: glasses that are switched off or out of reach stop the session and what it carries",
        arguments: [Refusal.Check.power, .link, .transport], [false, true])
    func s12(_ check: Refusal.Check, paused: Bool) throws {
        let refusal = refusal(check)
        expectEnd(try makeStarted(paused: paused), refusal, errors: [.unexpectedError(refusal.message)])
    }

    @Test("S13: tap-and-hold stops the session without an error", arguments: [false, true]) func s13(paused: Bool)
        throws
    {
        expectEnd(try makeStarted(paused: paused), refusal(.endedByDevice), errors: [])
    }

    @Test("S14: glasses that are taken off pause the session or stop it, as they say") func s14() throws {
        let watched = try makeStarted(paused: true)
        #expect(watched.session.state == .paused)
        let refusal = refusal(.worn)
        expectEnd(watched, refusal, errors: [.unexpectedError(refusal.message)])
    }

    @Test("S15: an app that is removed in the companion has its session stopped", arguments: [false, true])
    func s15(paused: Bool) throws {
        let watched = try makeStarted(paused: paused)
        let refusal = refusal(.trust)
        link.deliver(.registration(.available, refusal))
        hub.settle()
        #expect(watched.states.all.suffix(2) == [.stopping, .stopped])
        #expect(watched.session.endReason == refusal)
        #expect(watched.camera.calls.last == .ending(refusal))
        #expect(link.commands.last == .closeSession(watched.session.linkSession))
        #expect(hub.devices.isEmpty)
    }

    @Test(
        "S16: heat, power and battery that end a session are told by their own error",
        arguments: [
            (Refusal.Check.thermal, DeviceSessionError.thermalEmergency), (.peakPower, .peakPowerShutdown),
            (.battery, .batteryCritical),
        ], [false, true])
    func s16(_ pair: (Refusal.Check, DeviceSessionError), paused: Bool) throws {
        expectEnd(try makeStarted(paused: paused), refusal(pair.0), errors: [pair.1])
    }

    @Test("S17: critical heat is told, and the session goes on") func s17() throws {
        let watched = try makeStarted()
        link.deliver(.sessionWarned(watched.session.linkSession, refusal(.thermal)))
        hub.settle()
        #expect(watched.session.state == .started)
        #expect(watched.errors.all == [.thermalCritical])
        #expect(watched.session.endReason == nil)
    }

    @Test(
        "S18: stop() stops a session in every state, what it carries first",
        arguments: [DeviceSessionState.idle, .starting, .started, .paused])
    func s18(_ from: DeviceSessionState) throws {
        if from == .starting { link.ignore { if case .openSession = $0 { true } else { false } } }
        let watched: Watched
        switch from {
        case .idle, .stopping, .stopped: watched = try make()
        case .starting:
            watched = try make()
            try watched.session.start()
        case .started, .paused: watched = try makeStarted(paused: from == .paused)
        }
        watched.camera.stopsByItself = false
        #expect(watched.session.state == from)
        watched.session.stop()
        hub.settle()
        if from == .started || from == .paused {
            #expect(watched.session.state == .stopping)
            #expect(!link.commands.contains(.closeSession(watched.session.linkSession)))
            watched.session.detach(watched.camera)
            hub.settle()
        }
        #expect(watched.states.all.suffix(2) == [.stopping, .stopped])
        #expect(watched.errors.all.isEmpty)
        #expect(watched.session.endReason == nil)
        #expect(link.commands.contains(.closeSession(watched.session.linkSession)) == (from != .idle))
    }

    @Test("S19: stop() while stopping or stopped does nothing") func s19() throws {
        let watched = try makeStarted()
        watched.camera.stopsByItself = false
        for _ in 0..<3 { watched.session.stop() }
        hub.settle()
        watched.session.detach(watched.camera)
        hub.settle()
        watched.session.stop()
        hub.settle()
        #expect(watched.states.all == [.starting, .started, .stopping, .stopped])
        #expect(watched.camera.calls == [.ending(nil)])
        #expect(link.commands.filter { $0 == .closeSession(watched.session.linkSession) }.count == 1)
    }

    @Test("S20: a stopped session can neither be started nor be added to") func s20() throws {
        let watched = try makeStarted()
        watched.session.stop()
        hub.settle()
        #expect(throws: DeviceSessionError.sessionAlreadyStopped) { try watched.session.start() }
        #expect(throws: DeviceSessionError.sessionAlreadyStopped) { try watched.session.attach(watched.camera) }
    }

    @Test("S21: a second start() does nothing", arguments: [DeviceSessionState.starting, .started, .paused])
    func s21(_ state: DeviceSessionState) throws {
        if state == .starting { link.ignore { if case .openSession = $0 { true } else { false } } }
        let watched = try make()
        try watched.session.start()
        hub.settle()
        if state == .paused { link.deliver(.sessionPaused(watched.session.linkSession)) }
        let commands = link.commands
        try watched.session.start()
        hub.settle()
        #expect(watched.session.state == state)
        #expect(link.commands == commands)
    }

    @Test("S22: a session that the app drops lives until it has stopped") func s22() throws {
        var watched: Watched? = try makeStarted()
        let states = try #require(watched?.states)
        let number = try #require(watched?.session.linkSession)
        weak let session = watched?.session
        watched = nil
        #expect(session != nil)
        link.deliver(.sessionEnded(number, refusal(.power)))
        hub.settle()
        #expect(states.all.suffix(2) == [.stopping, .stopped])
        #expect(session == nil)
    }
}
