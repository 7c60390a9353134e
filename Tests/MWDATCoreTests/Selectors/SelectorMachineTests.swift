import Testing

@testable import MWDATCore

struct SelectorMachineTests {
    private typealias Candidate = SelectorMachine.Candidate
    private var machine = SelectorMachine()

    @discardableResult
    private mutating func see(
        _ candidates: (DeviceIdentifier, Candidate.Fitness)..., isListComplete: Bool = false
    ) -> [SelectorMachine.Action] {
        let candidates = candidates.map { Candidate(identifier: $0.0, fitness: $0.1) }
        return machine.apply(
            .candidatesChanged(candidates, isListComplete: isListComplete), at: Uptime(nanoseconds: 0))
    }

    private mutating func fire(_ timer: Int) -> [SelectorMachine.Action] {
        machine.apply(.timerFired(timer), at: Uptime(nanoseconds: 0))
    }

    @Test mutating func theFirstEligibleGlassesAreChosen() {
        #expect(see(("a", .ineligible), ("b", .eligible), ("c", .eligible)) == [.choose("b")])
    }

    @Test mutating func aChoiceStaysWhileItIsEligible() {
        see(("b", .eligible))
        #expect(see(("a", .eligible), ("b", .eligible)).isEmpty)
    }

    @Test mutating func glassesThatBlinkAreKept() {
        see(("a", .eligible))
        #expect(see(("a", .blinking), ("b", .eligible)) == [.schedule(1, .milliseconds(2500))])
        #expect(see(("a", .blinking)).isEmpty)
        #expect(see(("a", .eligible)) == [.cancel(1)])
        #expect(machine.active == "a")
    }

    @Test mutating func glassesThatAreMissingForAMomentAreKept() {
        see(("a", .eligible))
        #expect(see() == [.schedule(1, .milliseconds(2500))])
        #expect(see(("a", .eligible)) == [.cancel(1)])
    }

    @Test mutating func glassesThatDoNotComeBackAreGivenUp() {
        see(("a", .eligible))
        see(("a", .blinking))
        #expect(fire(1) == [.choose(nil)])
        #expect(see(("a", .eligible)) == [.choose("a")])
    }

    @Test mutating func glassesThatDoNotComeBackAreReplaced() {
        see(("a", .eligible))
        see(("a", .blinking), ("b", .eligible))
        #expect(fire(1) == [.choose("b")])
    }

    @Test mutating func glassesThatCannotBeUsedAreGivenUpAtOnce() {
        see(("a", .eligible))
        #expect(see(("a", .ineligible)) == [.choose(nil)])
    }

    @Test mutating func glassesThatBlinkAndThenCannotBeUsedAreGivenUpAtOnce() {
        see(("a", .eligible))
        see(("a", .blinking))
        #expect(see(("a", .ineligible), ("b", .eligible)) == [.cancel(1), .choose("b")])
        #expect(fire(1).isEmpty)
    }

    @Test mutating func anEmptyListWithoutARegistrationIsFinal() {
        see(("a", .eligible))
        #expect(see(isListComplete: true) == [.choose(nil)])
    }

    @Test mutating func glassesThatBlinkAreNotChosenAnew() {
        #expect(see(("a", .blinking)).isEmpty)
        #expect(machine.active == nil)
    }
}
