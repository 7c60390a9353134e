import SeededRandom
import Testing

@testable import MWDATCore

/// What holds for a session whatever happens, in whatever order.
struct DeviceSessionStateMachineTests {
    private static let refusal = Refusal(.link, "gone", isRetryable: true)
    private static let inputs: [DeviceSessionStateMachine.Input] =
        [
            .startAsked(isReady: true), .startAsked(isReady: false), .stopAsked, .becameReady, .linkStarted,
            .linkPaused,
            .linkResumed, .linkWarned(refusal), .linkEnded(refusal), .linkEnded(nil), .deviceLost(refusal),
            .deviceFound,
            .linkLost(refusal), .trustLost(refusal), .takenOver(refusal), .capabilityAttached(.camera),
            .capabilityAttached(.display), .capabilityDetached(.camera), .capabilityDetached(.display),
        ] + DeviceSessionStateMachine.Timer.allCases.map { .timerFired($0) }

    /// Which states may follow which.
    private static let next: [DeviceSessionState: Set<DeviceSessionState>] = [
        .idle: [.starting, .stopping], .starting: [.started, .stopping], .started: [.paused, .stopping],
        .paused: [.started, .stopping], .stopping: [.stopped], .stopped: [],
    ]

    @Test(arguments: 0..<20) func everySequenceKeepsTheOrderOfStatesAndEndsOnce(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var machine = DeviceSessionStateMachine()
            var actions: [DeviceSessionStateMachine.Action] = []
            func feed(_ input: DeviceSessionStateMachine.Input) {
                if case .capabilityAttached(let kind) = input, machine.attachRefusal(kind) != nil { return }
                let before = machine.state
                let follows = machine.apply(input, at: Uptime(nanoseconds: 0))
                if before == .stopped { #expect(follows.isEmpty) }
                actions += follows
            }
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                feed(try #require(Self.inputs.randomElement(using: &random)))
            }
            // Whatever state that left: a stop, and then the limits of time alone, end it.
            feed(.stopAsked)
            feed(.timerFired(.capabilities))
            feed(.timerFired(.close))
            #expect(machine.state == .stopped)
            #expect(actions.filter { $0 == .end }.count == 1)
            #expect(actions.filter { $0 == .open }.count <= 1)
            #expect(actions.filter { $0 == .close }.count <= actions.filter { $0 == .open }.count)
            var state = DeviceSessionState.idle
            for case .enter(let entered) in actions {
                #expect(Self.next[state]?.contains(entered) == true, "\(state) to \(entered)")
                state = entered
            }
        }
    }

    @Test func everyLimitOfTimeThatRunsEndsWithTheSession() {
        var machine = DeviceSessionStateMachine()
        var running: Set<DeviceSessionStateMachine.Timer> = []
        for input: DeviceSessionStateMachine.Input in [
            .startAsked(isReady: true), .linkStarted, .capabilityAttached(.camera), .deviceLost(Self.refusal),
            .stopAsked,
            .capabilityDetached(.camera), .linkEnded(nil),
        ] {
            for action in machine.apply(input, at: Uptime(nanoseconds: 0)) {
                if case .schedule(let timer) = action { running.insert(timer) }
                if case .cancel(let timer) = action { running.remove(timer) }
            }
        }
        #expect(machine.state == .stopped)
        #expect(running.isEmpty)
    }
}
