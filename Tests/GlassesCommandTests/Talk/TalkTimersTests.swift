import GlassesCore
import Synchronization
import Testing

@testable import glasses

@Suite("Timers of talk")
struct TalkTimersTests {
    /// A ring that can be ended from outside, and the events that were told.
    private final class Bell: Sendable {
        private struct Ring {
            var ended: (@Sendable (Bool) -> Void)?
        }

        private let ring = Mutex(Ring())
        private let told = Mutex<[TalkEvent]>([])

        var events: [TalkEvent] { told.withLock { $0 } }
        var isRinging: Bool { ring.withLock { $0.ended != nil } }

        func end(heard: Bool) {
            let call = ring.withLock { ring in
                defer { ring.ended = nil }
                return ring.ended
            }
            call?(heard)
        }

        var ports: TalkTimers.Ports {
            TalkTimers.Ports(
                ring: { ended in self.ring.withLock { $0.ended = ended } }, cut: { self.end(heard: false) },
                tell: { event in self.told.withLock { $0.append(event) } })
        }
    }

    private func eventually(_ condition: () -> Bool) async throws -> Bool {
        let start = Stopwatch.now
        while !condition() {
            guard start.duration(to: Stopwatch.now) < .seconds(10) else { return false }
            try await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    @Test("an expired timer rings again and again until it is stopped")
    func ringsUntilStopped() async throws {
        let bell = Bell()
        let timers = TalkTimers(ports: bell.ports)
        #expect(timers.set(seconds: 0))
        #expect(try await eventually { bell.isRinging })
        bell.end(heard: true)
        #expect(try await eventually { bell.isRinging })
        #expect(await timers.stopRinging())
        #expect(bell.events == [.timerRinging(seconds: 0), .timerStopped])
        #expect(await timers.stopRinging() == false)
        #expect(await timers.dropAll().isEmpty)
    }

    @Test("a ring that cannot be played ends by itself")
    func unplayableRing() async throws {
        let bell = Bell()
        let timers = TalkTimers(ports: bell.ports)
        #expect(timers.set(seconds: 0))
        #expect(try await eventually { bell.isRinging })
        bell.end(heard: false)
        #expect(try await eventually { bell.events.last == .timerStopped })
        #expect(await timers.stopRinging() == false)
    }

    @Test("timers that have not rung are named, the next one first, and do not ring afterwards")
    func dropped() async {
        let bell = Bell()
        let timers = TalkTimers(ports: bell.ports)
        #expect(timers.set(seconds: 300))
        #expect(timers.set(seconds: 60))
        let dropped = await timers.dropAll()
        #expect(dropped.map(\.seconds) == [60, 300])
        #expect(dropped.allSatisfy { $0.seconds - $0.remainingSeconds <= 1 })
        #expect(await timers.dropAll().isEmpty)
    }

    @Test("too many timers are refused")
    func limit() async {
        let timers = TalkTimers(ports: Bell().ports)
        for _ in 0..<TalkTimers.pendingLimit { #expect(timers.set(seconds: 600)) }
        #expect(!timers.set(seconds: 600))
        #expect(await timers.dropAll().count == TalkTimers.pendingLimit)
    }
}
