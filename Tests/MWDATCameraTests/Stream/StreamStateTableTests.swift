import MWDATCore
import Testing

@testable import MWDATCamera

/// The rows T1 to T15 of the table of a stream's states.
@Suite struct StreamStateTableTests {
    @Test(
        "T1: a start with glasses there passes through waitingForDevice and starting, and streams with the first picture"
    )
    func t1() {
        var run = MachineRun()
        #expect(run.machine.state == .stopped)
        run.apply(.startRequested(1), .cameraReady(MachineRun.device), .runStarted(1))
        #expect(run.states == [.waitingForDevice, .starting])
        run.picture()
        #expect(run.states == [.waitingForDevice, .starting, .streaming])
        #expect(run.errors == [])
    }

    @Test("T2: a start without glasses waits and tells why, and goes on when a pair appears")
    func t2() {
        var run = MachineRun()
        run.apply(.startRequested(1), .cameraAwaited(.test(.link)))
        run.wait(.seconds(600))
        #expect(run.machine.state == .waitingForDevice)
        #expect(run.machine.waitReason?.check == .link)
        #expect(run.actions == [.publishState(.waitingForDevice), .acquireCamera])
        run.apply(.cameraReady(MachineRun.device))
        #expect(run.states.last == .starting)
        #expect(run.machine.waitReason == nil)
        #expect(run.count(of: .startRun(1)) == 1)
    }

    @Test("T3: a start without the permission ends in stopped, and permissionDenied tells why")
    func t3() { expectEnd(of: started(), because: .permission, with: .permissionDenied) }

    @Test(
        "T4: a start with glasses that are not known or not connected ends in stopped, and the error names them",
        arguments: [
            (Refusal.Check.notFound, StreamError.deviceNotFound(MachineRun.device)),
            (.link, .deviceNotConnected(MachineRun.device)), (.power, .deviceNotConnected(MachineRun.device)),
        ])
    func t4(check: Refusal.Check, error: StreamError) { expectEnd(of: started(), because: check, with: error) }

    @Test("T5: a start that brings no picture within 10 s ends in timeout and stopped", arguments: [false, true])
    func t5(isAnswered: Bool) {
        var run = started()
        if isAnswered { run.apply(.runStarted(1)) }
        run.wait(.milliseconds(9_900))
        #expect(run.states == [])
        run.wait(.milliseconds(200))
        #expect(run.errors == [.timeout])
        #expect(run.states == [.stopping])
        #expect(run.count(of: .stopRun(1)) == 1)
        run.apply(.runEnded(1, nil))
        #expect(run.states == [.stopping, .stopped])
        #expect(run.machine.endReason?.check == .timeout)
    }

    @Test(
        "T6: what holds the stream pauses it, and no picture is handed over",
        arguments: [StreamStateMachine.Input.sessionPaused, .runPaused(1), .appHidden])
    func t6(cause: StreamStateMachine.Input) {
        var run = MachineRun.streaming()
        run.apply(cause)
        #expect(run.states == [.paused])
        run.picture()
        run.wait(.seconds(60))
        #expect(run.times == [])
        #expect(run.states == [.paused])
        #expect(run.errors == [])
    }

    @Test(
        "T7: what lets the stream go on makes it streaming again, with the next picture",
        arguments: [
            (StreamStateMachine.Input.sessionPaused, StreamStateMachine.Input.sessionResumed),
            (.runPaused(1), .runResumed(1)), (.appHidden, .appShown),
        ])
    func t7(cause: StreamStateMachine.Input, end: StreamStateMachine.Input) {
        var run = MachineRun.streaming()
        run.apply(cause, end)
        #expect(run.states == [.paused])
        run.picture()
        #expect(run.states == [.paused, .streaming])
        #expect(run.times.count == 1)
    }

    @Test("T7: of two holders both have to let go")
    func t7Twice() {
        var run = MachineRun.streaming()
        run.apply(.sessionPaused, .runPaused(1), .runResumed(1))
        run.picture()
        #expect(run.states == [.paused])
        run.apply(.sessionResumed)
        run.picture()
        #expect(run.states == [.paused, .streaming])
    }

    @Test("T8: closed hinges end a stream, paused or not, with hingesClosed", arguments: [false, true])
    func t8(isPaused: Bool) {
        var run = MachineRun.streaming()
        if isPaused { run.apply(.runPaused(1)) }
        expectEnd(of: run, because: .hinges, with: .hingesClosed)
    }

    @Test("T9: taking the glasses off ends the stream with hingesClosed, and the reason tells that they are not worn")
    func t9() { expectEnd(of: .streaming(), because: .worn, with: .hingesClosed) }

    @Test(
        "T10: pictures or a transport that fail end the stream with videoStreamingError",
        arguments: [Refusal.Check.media, .transport, .resources])
    func t10(check: Refusal.Check) { expectEnd(of: .streaming(), because: check, with: .videoStreamingError) }

    @Test("T10: glasses that end the stream without a reason end it with internalError")
    func t10Silent() {
        var run = MachineRun.streaming()
        run.apply(.runEnded(1, nil))
        #expect(run.errors == [.internalError])
        #expect(run.states == [.stopping, .stopped])
        #expect(run.machine.endReason?.check == .endedByDevice)
    }

    @Test(
        "T11: heat, power and battery end the stream with their error",
        arguments: [
            (Refusal.Check.thermal, StreamError.thermalHot), (.peakPower, .peakPowerLimit), (.battery, .batteryLow),
        ])
    func t11(check: Refusal.Check, error: StreamError) { expectEnd(of: .streaming(), because: check, with: error) }

    @Test("T12: a stop passes through stopping and is stopped when the glasses have let go")
    func t12() {
        var run = MachineRun.streaming()
        run.apply(.stopRequested, .stopRequested)
        #expect(run.states == [.stopping])
        #expect(run.count(of: .stopRun(1)) == 1)
        run.apply(.runEnded(1, nil), .stopRequested)
        #expect(run.states == [.stopping, .stopped])
        #expect(run.actions.suffix(2) == [.releaseCamera, .publishState(.stopped)])
        #expect(run.errors == [])
        #expect(run.machine.endReason == nil)
    }

    @Test("T12: a stop of a waiting stream is stopped at once, and a late pair of glasses finds nobody")
    func t12Waiting() {
        var run = MachineRun()
        run.apply(.startRequested(1), .stopRequested, .cameraReady(MachineRun.device))
        #expect(run.states == [.waitingForDevice, .stopping, .stopped])
        #expect(run.count(of: .startRun(1)) == 0)
    }

    @Test("T12: glasses that do not answer a stop are waited for 2 s")
    func t12Silent() {
        var run = MachineRun.streaming()
        run.apply(.stopRequested)
        run.wait(.milliseconds(1_900))
        #expect(run.states == [.stopping])
        run.wait(.milliseconds(200))
        #expect(run.states == [.stopping, .stopped])
        #expect(run.machine.deadline == nil)
    }

    @Test("T13: the app's stop of the session stops the stream without an error")
    func t13() {
        var run = MachineRun.streaming()
        run.apply(.sessionEnded(nil))
        #expect(run.states == [.stopping])
        #expect(run.count(of: .stopRun(1)) == 1)
        run.wait(.milliseconds(900))
        #expect(run.states == [.stopping, .stopped])
        #expect(run.errors == [])
    }

    @Test("T13: a session that has ended takes the stream with it at once, with the session's reason")
    func t13Ended() {
        var run = MachineRun.streaming()
        run.apply(.sessionEnded(.test(.link)))
        #expect(run.errors == [.deviceNotConnected(MachineRun.device)])
        #expect(run.states == [.stopping, .stopped])
        #expect(run.count(of: .stopRun(1)) == 0)
        #expect(run.machine.endReason?.check == .link)
    }

    @Test("T13: what the wearer does to the session is no error of the stream")
    func t13Wearer() {
        var run = MachineRun.streaming()
        run.apply(.sessionEnded(.test(.endedByDevice)))
        #expect(run.errors == [])
        #expect(run.states == [.stopping, .stopped])
        #expect(run.machine.endReason?.check == .endedByDevice)
    }

    @Test("T14: while a photo is taken pictures may stay away, and the stream stays streaming")
    func t14() {
        var run = MachineRun.streaming()
        run.apply(.photoRequested(7, .jpeg))
        run.wait(.milliseconds(7_900))
        run.apply(.photoArrived(7, isPicture: true))
        run.wait(.milliseconds(1_900))
        #expect(run.actions == [.capturePhoto(7, .jpeg), .deliverPhoto(7)])
        #expect(run.machine.state == .streaming)
    }

    @Test("T15: a stopped stream starts again, and what its last run still sends is nobody's")
    func t15() {
        var run = MachineRun.streaming()
        run.apply(.stopRequested, .runEnded(1, nil), .startRequested(2), .cameraReady(MachineRun.device))
        run.forget()
        run.picture(of: 1)
        run.apply(.runPaused(1), .runEnded(1, .test(.media)))
        #expect(run.actions == [])
        run.picture(of: 2)
        #expect(run.states == [.streaming])
    }

    @Test("T15: a start while the stream is stopping starts it again when it has stopped")
    func t15WhileStopping() {
        var run = MachineRun.streaming()
        run.apply(.stopRequested, .startRequested(2))
        #expect(run.states == [.stopping])
        run.apply(.runEnded(1, nil))
        #expect(run.states == [.stopping, .stopped, .waitingForDevice])
        run.apply(.cameraReady(MachineRun.device))
        #expect(run.count(of: .startRun(2)) == 1)
    }

    @Test("T15: a stop takes back a start that waits for the last run's end")
    func t15TakenBack() {
        var run = MachineRun.streaming()
        run.apply(.stopRequested, .startRequested(2), .stopRequested, .runEnded(1, nil))
        #expect(run.states == [.stopping, .stopped])
    }

    @Test("A start of a running stream does nothing", arguments: [StreamState.waitingForDevice, .starting, .streaming])
    func startTwice(state: StreamState) {
        var run = MachineRun()
        run.apply(.startRequested(1))
        if state != .waitingForDevice { run.apply(.cameraReady(MachineRun.device)) }
        if state == .streaming { run.picture() }
        run.forget()
        run.apply(.startRequested(2))
        #expect(run.actions == [])
        #expect(run.machine.state == state)
    }

    private func started() -> MachineRun {
        var run = MachineRun()
        run.apply(.startRequested(1), .cameraReady(MachineRun.device))
        run.forget()
        return run
    }

    /// Lets the glasses end the run, and expects the error before the states.
    private func expectEnd(of run: MachineRun, because check: Refusal.Check, with error: StreamError) {
        var run = run
        let before = run.actions.count
        run.apply(.runEnded(1, .test(check)))
        let relevant = run.actions.dropFirst(before).filter { action in
            switch action {
            case .publishState, .publishFailure: true
            default: false
            }
        }
        #expect(
            relevant == [
                .publishFailure(StreamFailure(error, because: .test(check))), .publishState(.stopping),
                .publishState(.stopped),
            ])
        #expect(run.machine.endReason?.check == check)
        #expect(run.machine.deadline == nil)
    }
}
