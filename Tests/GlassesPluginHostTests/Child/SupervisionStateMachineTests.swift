import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("When a plugin's child is started again, and when it is given up")
struct SupervisionStateMachineTests {
    private typealias Machine = SupervisionStateMachine
    private typealias Action = SupervisionStateMachine.Action
    private static let crash = ChildEnd.signal(11)

    private static func at(_ seconds: Double) -> MonotonicTime {
        MonotonicTime.zero.advanced(by: .fromSeconds(seconds))
    }

    /// A machine whose first child delivers since second 0.
    private func delivering() -> Machine {
        var machine = Machine()
        _ = machine.apply(.openWasRequested, at: Self.at(0))
        _ = machine.apply(.childDelivered, at: Self.at(0))
        return machine
    }

    @Test("The first child is started, and told when it delivers")
    func opens() {
        var machine = Machine()
        #expect(machine.apply(.openWasRequested, at: Self.at(0)) == [.startChild])
        #expect(machine.isStarting)
        #expect(machine.apply(.openWasRequested, at: Self.at(0)) == [])
        #expect(machine.apply(.childDelivered, at: Self.at(0.1)) == [.setProofTimer(.seconds(5)), .tellOpened])
        #expect(machine.isDelivering)
    }

    @Test("A child that dies is replaced at once, and what is over within a second is told to nobody")
    func replaces() {
        var machine = delivering()
        #expect(
            machine.apply(.childEnded(Self.crash), at: Self.at(2)) == [
                .cancelProofTimer, .tellCrash(Self.crash), .setOutageTimer(.seconds(1)), .startChild,
            ])
        #expect(
            machine.apply(.childDelivered, at: Self.at(2.1)) == [
                .cancelTimers, .setProofTimer(.seconds(5)),
                .tellRestored(wasTold: false, downtime: .milliseconds(100)),
            ])
        #expect(machine.apply(.outageTimerFired, at: Self.at(3)) == [])
    }

    @Test("An outage of a second is told once, and its end too")
    func tellsOutage() {
        var machine = delivering()
        _ = machine.apply(.childEnded(Self.crash), at: Self.at(2))
        #expect(machine.apply(.outageTimerFired, at: Self.at(3)) == [.tellOutage])
        #expect(machine.apply(.outageTimerFired, at: Self.at(3)) == [])
        #expect(
            machine.apply(.childDelivered, at: Self.at(4)).contains(.tellRestored(wasTold: true, downtime: .seconds(2)))
        )
    }

    @Test("A child that dies while it is started again makes the same outage longer, without a second timer")
    func keepsOutageTimer() {
        var machine = delivering()
        _ = machine.apply(.childEnded(Self.crash), at: Self.at(10))
        #expect(machine.apply(.childEnded(Self.crash), at: Self.at(10.5)) == [.tellCrash(Self.crash), .startChild])
        #expect(machine.apply(.outageTimerFired, at: Self.at(11)) == [.tellOutage])
        #expect(
            machine.apply(.childDelivered, at: Self.at(12)).contains(
                .tellRestored(wasTold: true, downtime: .seconds(2))))
        #expect(machine.record == PluginChildRecord(deaths: 2, replacements: 1, downtime: .seconds(2)))
    }

    @Test("Three deaths, each within five seconds of the start, are the end")
    func givesUp() {
        var machine = delivering()
        for second in [1.0, 2.0] {
            #expect(machine.apply(.childEnded(Self.crash), at: Self.at(second)).contains(.startChild))
            _ = machine.apply(.childDelivered, at: Self.at(second + 0.1))
        }
        #expect(
            machine.apply(.childEnded(Self.crash), at: Self.at(3)) == [
                .cancelTimers, .tellGivenUp(.ended(Self.crash)),
            ])
        #expect(!machine.isStarting && !machine.isDelivering)
        #expect(machine.apply(.childEnded(Self.crash), at: Self.at(4)) == [])
    }

    @Test("A child that delivered for five seconds clears the count")
    func clearsCount() {
        var machine = delivering()
        for second in [1.0, 2.0] {
            _ = machine.apply(.childEnded(Self.crash), at: Self.at(second))
            _ = machine.apply(.childDelivered, at: Self.at(second))
        }
        #expect(machine.apply(.proofTimerFired, at: Self.at(7)) == [])
        #expect(
            machine.apply(.childEnded(Self.crash), at: Self.at(8)).contains(.tellCrash(Self.crash)))
        #expect(machine.record.deaths == 3)
        _ = machine.apply(.childDelivered, at: Self.at(8))
        #expect(machine.apply(.childEnded(Self.crash), at: Self.at(9)).contains(.startChild))
    }

    @Test("A death after five seconds does not count, even if the child delivered late")
    func ignoresLateDeaths() {
        var machine = delivering()
        for round in 1...10 {
            let second = Double(round) * 10
            #expect(machine.apply(.childEnded(Self.crash), at: Self.at(second)).contains(.startChild))
            _ = machine.apply(.childDelivered, at: Self.at(second + 4))
        }
    }

    @Test("A child that never delivers counts whenever it dies")
    func countsSlowStarts() {
        var machine = delivering()
        _ = machine.apply(.childEnded(Self.crash), at: Self.at(100))
        let hang = ChildEnd.hung(function: "activate", limit: .seconds(20))
        #expect(machine.apply(.childEnded(hang), at: Self.at(120)) == [.tellCrash(hang), .startChild])
        #expect(machine.apply(.childEnded(hang), at: Self.at(140)) == [.tellCrash(hang), .startChild])
        #expect(machine.apply(.childEnded(hang), at: Self.at(160)) == [.cancelTimers, .tellGivenUp(.ended(hang))])
    }

    @Test("A first start is tried three times after crashes, and once after a hang")
    func failsToOpen() {
        var machine = Machine()
        _ = machine.apply(.openWasRequested, at: Self.at(0))
        #expect(machine.apply(.childEnded(Self.crash), at: Self.at(0.1)) == [.tellCrash(Self.crash), .startChild])
        #expect(machine.apply(.childEnded(Self.crash), at: Self.at(0.2)) == [.tellCrash(Self.crash), .startChild])
        #expect(
            machine.apply(.childEnded(Self.crash), at: Self.at(0.3)) == [
                .cancelTimers, .tellOpenFailed(.ended(Self.crash)),
            ])
        var hanging = Machine()
        _ = hanging.apply(.openWasRequested, at: Self.at(0))
        let hang = ChildEnd.hung(function: "activate", limit: .seconds(5))
        #expect(hanging.apply(.childEnded(hang), at: Self.at(5)) == [.cancelTimers, .tellOpenFailed(.ended(hang))])
    }

    @Test("A refusal ends the child and is told after it is gone")
    func refuses() {
        let report = PluginFailureReport(.unavailable, code: "unavailable", message: "No device.")
        var machine = Machine()
        _ = machine.apply(.openWasRequested, at: Self.at(0))
        #expect(machine.apply(.childRefused(report), at: Self.at(0.1)) == [.killChild])
        #expect(
            machine.apply(.childEnded(.stopped), at: Self.at(0.2)) == [
                .cancelTimers, .tellOpenFailed(.refused(report)),
            ])
        var later = delivering()
        _ = later.apply(.childEnded(Self.crash), at: Self.at(10))
        #expect(later.apply(.childRefused(report), at: Self.at(10.1)) == [.killChild])
        #expect(
            later.apply(.childEnded(.stopped), at: Self.at(10.2)) == [.cancelTimers, .tellGivenUp(.refused(report))])
    }

    @Test("A plugin that was given up is started again when somebody asks for it, with a new count")
    func revives() {
        var machine = delivering()
        for second in [1.0, 2.0, 3.0] {
            _ = machine.apply(.childEnded(Self.crash), at: Self.at(second))
            if second < 3 { _ = machine.apply(.childDelivered, at: Self.at(second)) }
        }
        #expect(machine.apply(.openWasRequested, at: Self.at(9)) == [.startChild])
        #expect(
            machine.apply(.childDelivered, at: Self.at(9.1)).contains(.tellRestored(wasTold: false, downtime: .zero)))
        #expect(machine.apply(.childEnded(Self.crash), at: Self.at(10)).contains(.startChild))
    }

    @Test("A stop asks a living instance to end, kills one that is not there yet, and is told when the child is gone")
    func stops() {
        var machine = delivering()
        #expect(machine.apply(.stopWasRequested, at: Self.at(1)) == [.cancelTimers, .destroyInstance])
        #expect(machine.apply(.stopWasRequested, at: Self.at(1)) == [])
        #expect(machine.apply(.childEnded(.exited(0)), at: Self.at(2)) == [.cancelTimers, .tellStopped])
        #expect(machine.apply(.openWasRequested, at: Self.at(3)) == [])
        var starting = Machine()
        _ = starting.apply(.openWasRequested, at: Self.at(0))
        #expect(starting.apply(.stopWasRequested, at: Self.at(1)) == [.cancelTimers, .killChild])
        #expect(starting.apply(.childDelivered, at: Self.at(1)) == [])
        #expect(starting.apply(.childEnded(.stopped), at: Self.at(1)) == [.cancelTimers, .tellStopped])
        var idle = Machine()
        #expect(idle.apply(.stopWasRequested, at: Self.at(1)) == [.cancelTimers, .tellStopped])
    }
}
