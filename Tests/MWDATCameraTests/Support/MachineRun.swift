import MWDATCore

@testable import MWDATCamera

/// A stream's machine with a clock that the test moves, and everything that it has ordered.
struct MachineRun {
    static let device = "glasses-1"

    private(set) var machine: StreamStateMachine
    private(set) var now = Uptime(nanoseconds: 5_000_000_000)
    private(set) var actions: [StreamStateMachine.Action] = []
    private var pictures: UInt64 = 0

    init(coding: LinkCoding = .i420) { machine = StreamStateMachine(coding: coding) }

    /// A machine whose run 1 is streaming.
    static func streaming(coding: LinkCoding = .i420) -> MachineRun {
        var run = MachineRun(coding: coding)
        run.apply(.startRequested(1), .cameraReady(device), .runStarted(1))
        run.picture()
        run.forget()
        return run
    }

    mutating func apply(_ inputs: StreamStateMachine.Input...) {
        for input in inputs { actions += machine.apply(input, at: now) }
    }

    /// A good picture of a run.
    mutating func picture(of run: LinkStream = 1, coding: LinkCoding = .i420, isKeyFrame: Bool = true) {
        pictures += 33_000_000
        apply(
            .pictureArrived(
                run, PictureFacts(coding: coding, isWellFormed: true, isKeyFrame: isKeyFrame, time: pictures)))
    }

    /// Moves on in steps of 100 ms, and tells the machine when its deadline has passed.
    mutating func wait(_ time: Duration) {
        let end = now + time
        while now < end {
            now = min(now + .milliseconds(100), end)
            if let deadline = machine.deadline, deadline <= now { apply(.timePassed) }
        }
    }

    /// Forgets what has been ordered so far.
    mutating func forget() { actions = [] }

    var states: [StreamState] {
        actions.compactMap { if case .publishState(let state) = $0 { state } else { nil } }
    }

    var errors: [StreamError] {
        actions.compactMap { if case .publishFailure(let failure) = $0 { failure.error } else { nil } }
    }

    var deliveries: [StreamDelivery] {
        actions.compactMap { if case .publishDelivery(let delivery) = $0 { delivery } else { nil } }
    }

    var times: [Int64] {
        actions.compactMap { if case .deliverPicture(let time) = $0 { time } else { nil } }
    }

    func count(of action: StreamStateMachine.Action) -> Int { actions.count { $0 == action } }
}

extension Refusal {
    static func test(_ check: Check) -> Refusal { Refusal(check, "A test says no. Go on.", isRetryable: true) }
}
