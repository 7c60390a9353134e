import SeededRandom
import Testing

@testable import SystemDeviceStreams

@Suite struct StreamStateMachineTests {
    typealias Machine = StreamStateMachine
    typealias Actions = StreamStateMachine.Actions

    private static func at(_ milliseconds: Int64) -> Int64 { milliseconds * millisecond }

    /// A machine whose first attempt runs since 0.
    private static func running() -> Machine {
        var machine = Machine()
        _ = machine.apply(.startRequested(1), at: 0)
        _ = machine.apply(.prepared(1), at: 0)
        _ = machine.apply(.flowed(1), at: 0)
        return machine
    }

    private func expect(
        _ machine: inout Machine, _ input: Machine.Input, at now: Int64, _ actions: Actions,
        at place: SourceLocation = #_sourceLocation
    ) {
        let done = machine.apply(input, at: now)
        #expect(done == actions, sourceLocation: place)
    }

    @Test func aStartLaunchesGrantsAndIsAnsweredWhenFramesFlow() {
        var machine = Machine()
        expect(&machine, .startRequested(1), at: 0, Actions(launch: 1))
        expect(&machine, .prepared(1), at: 1, Actions(grant: 1))
        expect(&machine, .flowed(1), at: 2, Actions(complete: [.init(request: 1, outcome: .done)]))
        #expect(machine.holder == 1)
        #expect(machine.deadline == nil)
    }

    @Test func aSecondStartIsRefusedAndChangesNothing() {
        var machine = Self.running()
        expect(&machine, .startRequested(2), at: 5, Actions(complete: [.init(request: 2, outcome: .wrongState)]))
        #expect(machine.holder == 1)
    }

    @Test func aFirstOpenThatFailsAnswersTheStartAndIsNotRepeated() {
        var machine = Machine()
        _ = machine.apply(.startRequested(1), at: 0)
        let failure = StreamFailure(.busy)
        expect(&machine, .failed(1, failure), at: 3, Actions(complete: [.init(request: 1, outcome: .failed(failure))]))
        #expect(machine.isIdle)
        #expect(machine.deadline == nil)
        expect(&machine, .startRequested(2), at: 4, Actions(launch: 2))
    }

    @Test func aFirstOpenThatHangsIsAbandonedBeforeTwoSecondsArePast() {
        var machine = Machine()
        _ = machine.apply(.startRequested(1), at: 0)
        expect(&machine, .timePassed, at: Machine.startLimit - 1, Actions())
        expect(
            &machine, .timePassed, at: Machine.startLimit,
            Actions(abandon: 1, complete: [.init(request: 1, outcome: .failed(StreamFailure(.timedOut)))]))
        #expect(Machine.startLimit < 2_000 * millisecond)
        #expect(machine.strandedCount == 1)
    }

    @Test func aLostDeviceIsToldAndOpenedAgainAfterTheBackOff() {
        var machine = Self.running()
        let failure = StreamFailure(.missing)
        expect(&machine, .failed(1, failure), at: Self.at(10), Actions(notify: .lost(failure)))
        expect(&machine, .exited(1), at: Self.at(11), Actions())
        expect(&machine, .timePassed, at: Self.at(259), Actions())
        expect(&machine, .timePassed, at: Self.at(260), Actions(launch: 2))
        expect(&machine, .failed(2, failure), at: Self.at(261), Actions())
        expect(&machine, .exited(2), at: Self.at(261), Actions())
        expect(&machine, .timePassed, at: Self.at(761), Actions(launch: 3))
        expect(&machine, .prepared(3), at: Self.at(762), Actions(grant: 3))
        expect(&machine, .flowed(3), at: Self.at(763), Actions(notify: .back))
    }

    @Test func anXrunStormReopensWithoutAWordUnlessThatFails() {
        var machine = Self.running()
        expect(&machine, .failed(1, StreamFailure(.xrunStorm)), at: 0, Actions())
        _ = machine.apply(.exited(1), at: 0)
        expect(&machine, .timePassed, at: Self.at(250), Actions(launch: 2))
        let gone = StreamFailure(.missing)
        expect(&machine, .failed(2, gone), at: Self.at(251), Actions(notify: .lost(gone)))
        _ = machine.apply(.exited(2), at: Self.at(251))
        expect(&machine, .timePassed, at: Self.at(751), Actions(launch: 3))
        _ = machine.apply(.prepared(3), at: Self.at(752))
        expect(&machine, .flowed(3), at: Self.at(753), Actions(notify: .back))
    }

    @Test func aHungThreadIsAbandonedAndItsReturnBringsTheNextAttemptAtOnce() {
        var machine = Self.running()
        expect(&machine, .hung(1), at: Self.at(1_000), Actions(abandon: 1, notify: .lost(StreamFailure(.hung))))
        #expect(machine.holder == nil)
        expect(&machine, .exited(1), at: Self.at(1_100), Actions(launch: 2))
        #expect(machine.strandedCount == 0)
    }

    @Test func aFlushThatIsStuckTakesTheRingAndOpensAtOnceWithoutAWord() {
        var machine = Self.running()
        expect(&machine, .flushStuck(1), at: Self.at(100), Actions(abandon: 1, launch: 2))
        _ = machine.apply(.prepared(2), at: Self.at(110))
        expect(&machine, .flowed(2), at: Self.at(120), Actions())
        #expect(machine.holder == 2)
    }

    @Test func aServerThatHangsForADayCostsFourThreads() {
        var machine = Self.running()
        _ = machine.apply(.hung(1), at: 0)
        var launched = 1
        var now: Int64 = 0
        while let deadline = machine.deadline, now < Self.at(86_400_000) {
            now = deadline
            let actions = machine.apply(.timePassed, at: now)
            if actions.launch != nil { launched += 1 }
            #expect(machine.strandedCount <= Machine.strandedLimit)
        }
        #expect(launched == Machine.strandedLimit)
        expect(&machine, .exited(2), at: now, Actions(launch: 5))
    }

    @Test func aStopEndsTheThreadAndIsAnsweredWhenTheDeviceIsClosed() {
        var machine = Self.running()
        expect(&machine, .stopRequested(2), at: 0, Actions(end: 1))
        expect(&machine, .ended(1), at: 1, Actions())
        expect(&machine, .exited(1), at: 2, Actions(complete: [.init(request: 2, outcome: .done)]))
        #expect(machine.isIdle)
    }

    @Test func aStopOfAHungThreadAbandonsItInHalfASecond() {
        var machine = Self.running()
        _ = machine.apply(.stopRequested(2), at: 0)
        expect(
            &machine, .timePassed, at: Machine.stopLimit,
            Actions(abandon: 1, complete: [.init(request: 2, outcome: .done)]))
    }

    @Test func aStopDuringTheStartCancelsTheStart() {
        var machine = Machine()
        _ = machine.apply(.startRequested(1), at: 0)
        expect(&machine, .stopRequested(2), at: 1, Actions(end: 1, complete: [.init(request: 1, outcome: .cancelled)]))
        expect(&machine, .exited(1), at: 2, Actions(complete: [.init(request: 2, outcome: .done)]))
    }

    @Test func lateReportsOfAnAbandonedThreadChangeNothing() {
        var machine = Self.running()
        _ = machine.apply(.flushStuck(1), at: 0)
        for late in [Machine.Input.prepared(1), .flowed(1), .failed(1, StreamFailure(.failed)), .ended(1), .hung(1)] {
            expect(&machine, late, at: 1, Actions())
            #expect(machine.holder == 2)
        }
    }

    @Test(arguments: 0..<50)
    func whateverHappensEachRequestEndsOnceAndTheRingHasOneHolder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var machine = Machine()
        var now: Int64 = 0
        var open: Set<UInt64> = []
        var alive: [Int] = []
        var isOver = false
        func take(_ input: Machine.Input) {
            let actions = machine.apply(input, at: now)
            if let attempt = actions.launch { alive.append(attempt) }
            if let attempt = actions.grant { #expect(attempt == machine.holder) }
            for completion in actions.complete {
                let wasOpen = open.remove(completion.request) != nil
                #expect(wasOpen)
            }
            if actions.finish { isOver = true }
            #expect(machine.strandedCount <= Machine.strandedLimit)
        }
        for serial in UInt64(1)...1_000 {
            now += Int64.random(in: 0...400, using: &generator) * millisecond
            let attempt = alive.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<9, using: &generator) {
            case 0:
                open.insert(serial)
                take(.startRequested(serial))
            case 1:
                open.insert(serial)
                take(.stopRequested(serial))
            case 2: take(.prepared(attempt))
            case 3: take(.flowed(attempt))
            case 4: take(.failed(attempt, StreamFailure(.failed)))
            case 5:
                take(.ended(attempt))
                alive.removeAll { $0 == attempt }
                take(.exited(attempt))
            case 6: take(.hung(attempt))
            case 7: take(.flushStuck(attempt))
            default: take(.timePassed)
            }
        }
        take(.shutdownRequested)
        while let deadline = machine.deadline {
            now = deadline
            take(.timePassed)
        }
        #expect(open.isEmpty)
        #expect(isOver)
    }
}
