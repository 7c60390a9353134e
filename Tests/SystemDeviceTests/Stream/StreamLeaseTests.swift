import GlassesPluginKit
import Synchronization
import Testing

@testable import SystemDeviceStreams

@Suite struct StreamLeaseTests {
    private func lease() -> StreamLease {
        StreamLease(attempt: 1, wake: EventSignal(), driverSignal: EventSignal(), now: 0)
    }

    @Test func theThreadMayEnterOnlyAfterTheGrant() {
        let lease = lease()
        #expect(!lease.enter(at: 1))
        lease.grant(at: 2)
        #expect(lease.isGranted)
        #expect(lease.enter(at: 3))
        #expect(lease.lastReportTime == 3)
    }

    @Test func theRingCannotBeTakenWhileTheThreadIsInside() {
        let lease = lease()
        lease.grant(at: 0)
        #expect(lease.enter(at: 1))
        #expect(!lease.revoke())
        lease.leave()
        #expect(lease.revoke())
        #expect(!lease.enter(at: 2))
        #expect(!lease.isGranted)
    }

    @Test func aThreadThatHasToEndMayNotEnterAgain() {
        let lease = lease()
        lease.grant(at: 0)
        lease.end()
        #expect(!lease.enter(at: 1))
        #expect(lease.isCalledOff)
    }

    @Test func theCauseOfTheEndIsReportedOnce() {
        let lease = lease()
        lease.report(.prepared)
        #expect(lease.reported.step == .prepared)
        lease.giveBack(StreamFailure(alsa: -19))
        #expect(lease.reported.step == .over)
        #expect(lease.reported.failure == StreamFailure(.missing, code: -19))
        lease.report(.flowing)
        #expect(lease.reported.step == .over)
    }

    private final class Ring: Sendable {
        private let users = Atomic(0)
        /// Uses the ring for a moment; false when somebody else was using it.
        func use() -> Bool {
            let isAlone = users.add(1, ordering: .sequentiallyConsistent).newValue == 1
            users.subtract(1, ordering: .sequentiallyConsistent)
            return isAlone
        }
    }

    /// Uses the ring until the lease ends; how often, or nil when the driver was using it too.
    private static func use(_ ring: Ring, under lease: StreamLease) async -> Int? {
        var turns = 0
        while lease.enter(at: Int64(turns)) {
            guard ring.use() else { return nil }
            lease.leave()
            turns += 1
            if turns % 16 == 0 { await Task.yield() }
        }
        return turns
    }

    @Test func threadAndDriverNeverUseTheRingTogether() async throws {
        let ring = Ring()
        var turns = 0
        for round in 0..<200 {
            let lease = lease()
            lease.grant(at: 0)
            let thread = Task.detached { await Self.use(ring, under: lease) }
            for _ in 0..<(round % 7) { await Task.yield() }
            while !lease.revoke() { await Task.yield() }
            // From here on the ring is the driver's.
            #expect(ring.use())
            turns += try #require(await thread.value)
        }
        #expect(turns > 0)
    }
}

@Suite struct StreamFailureTests {
    @Test(
        arguments: [
            (-2, StreamFailure.Kind.missing), (-19, .missing), (-6, .missing), (-16, .busy), (-13, .denied),
            (-1, .denied),
            (-111, .unreachable), (-110, .timedOut), (-5, .failed), (-32, .failed), (0, .failed),
        ] as [(Int32, StreamFailure.Kind)])
    func eachErrnoValueHasItsMeaning(code: Int32, kind: StreamFailure.Kind) {
        #expect(StreamFailure(alsa: code).kind == kind)
        #expect(StreamFailure(packed: StreamFailure(alsa: code).packed) == StreamFailure(alsa: code))
    }

    @Test func nothingPackedIsNoFailure() { #expect(StreamFailure(packed: 0) == nil) }

    @Test(
        arguments: [
            (StreamFailure.Kind.missing, "device_missing"), (.busy, "device_busy"), (.denied, "device_denied"),
            (.unreachable, "sound_server_unreachable"), (.unsupported, "unsupported_format"),
            (.timedOut, "device_timeout"),
            (.hung, "device_timeout"), (.stalled, "device_stalled"), (.xrunStorm, "device_overrun"),
            (.failed, "device_failed"),
        ] as [(StreamFailure.Kind, String)])
    func eachFailureNamesTheDeviceAndHasItsCode(kind: StreamFailure.Kind, code: String) {
        for port in [StreamPort.microphone("hw:CARD=Fox"), .speaker("hw:CARD=Fox")] {
            let failure = port.failure(StreamFailure(kind, code: -5))
            #expect(failure.code == code)
            #expect(failure.message.contains("\(port.noun) \"hw:CARD=Fox\""))
            #expect(failure.result < 0)
        }
        #expect(StreamPort.microphone("x").failure(StreamFailure(.missing)).message.contains("glasses devices"))
    }
}
