import GlassesDomain
import GlassesTesting
import SeededRandom
import Testing

@testable import GlassesRuntime

private typealias Machine = CameraStateMachine

/// A machine and what it ordered so far; the clock moves only by ``at(_:)``.
private struct Bench {
    var machine = Machine()
    var now = MonotonicTime.zero
    var actions: [Machine.Action] = []

    init(connected: Bool = true) {
        if connected { send(.deviceChanged(modes: SimulatedCamera.documentedModes, isConnected: true)) }
    }

    @discardableResult
    mutating func send(_ input: Machine.Input) -> [Machine.Action] {
        let new = machine.apply(input, at: now)
        actions += new
        return new
    }

    mutating func at(_ milliseconds: Int64) { now = MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @discardableResult
    mutating func request(
        _ number: Int, _ use: CameraUse = .photo, _ wish: CameraWish = CameraWish(resolution: .medium, frameRate: 24)
    ) -> [Machine.Action] { send(.leaseRequested(lease(number), use, wish)) }

    /// Opens the stream for a first user with the number.
    mutating func stream(_ number: Int, _ use: CameraUse = .frames) {
        request(number, use)
        send(.opened(opened))
    }

    /// The stream that was opened last.
    var opened: Machine.StreamID {
        actions.reversed().lazy.compactMap { if case .open(let stream, _) = $0 { stream } else { nil } }.first
            ?? Machine.StreamID(number: 0)
    }

    var openings: Int { actions.count { if case .open = $0 { true } else { false } } }
    var closings: Int { actions.count { if case .close = $0 { true } else { false } } }

    var state: CameraStreamState {
        actions.reversed().lazy.compactMap { if case .publishState(let state) = $0 { state } else { nil } }.first
            ?? .idle
    }

    var health: CameraStatus {
        actions.reversed().lazy.compactMap { if case .publishHealth(let health) = $0 { health } else { nil } }.first
            ?? .ready
    }

    /// How a lease ended, each time it did.
    func ends(_ number: Int) -> [CaptureError] {
        actions.compactMap { if case .end(lease(number), let error) = $0 { error } else { nil } }
    }

    func grants(_ number: Int) -> Int { actions.count { $0 == .grant(lease(number)) } }
}

private func lease(_ number: Int) -> Machine.LeaseID { Machine.LeaseID(number: number) }

private let broken = CaptureError.platformError(code: "io_error", message: "The bus failed.")

@Suite("The one stream of the camera")
struct CameraStateMachineTests {
    @Test func theFirstUsersWishDecidesTheModeAndTheNextOneSharesItAndIsToldSo() throws {
        var bench = Bench()
        bench.request(1, .frames, CameraWish(resolution: .low, frameRate: 7))
        let mode = CameraMode(format: .i420, width: 360, height: 640, frameRate: 7)
        #expect(bench.actions.contains(.open(bench.opened, mode)))
        #expect(bench.actions.contains(.note(.locked(CameraWish(resolution: .low, frameRate: 7), mode))))
        #expect(bench.state == .arming)
        let wish = CameraWish(resolution: .high, frameRate: 30)
        bench.request(2, .clip, wish)
        let actions = bench.send(.opened(bench.opened))
        #expect(actions.contains(.publishState(.streaming)))
        #expect(actions.contains(.publishInfo(ActiveStreamInfo(resolution: .low, frameRate: 7))))
        #expect(actions.contains(.note(.shared(.clip, wish, mode))))
        #expect(bench.grants(1) == 1 && bench.grants(2) == 1)
        #expect(bench.openings == 1)
    }

    @Test func aStreamStaysWarmForTenSecondsAfterItsLastUserAndThenCloses() {
        var bench = Bench()
        bench.stream(1, .photo)
        let timer = Machine.Action.startTimer(.linger, at: MonotonicTime(nanoseconds: 10_000_000_000))
        #expect(bench.send(.leaseReleased(lease(1))).contains(timer))
        bench.at(9_000)
        #expect(bench.request(2).contains(.cancelTimer(.linger)))
        #expect(bench.grants(2) == 1)
        #expect(bench.openings == 1)
        bench.send(.leaseReleased(lease(2)))
        bench.at(19_000)
        bench.send(.timerFired(.linger))
        #expect(bench.state == .stopping)
        bench.send(.closed(bench.opened))
        #expect(bench.state == .idle)
        #expect(bench.actions.contains(.publishInfo(nil)))
    }

    @Test func aUseDuringTheClosingIsServedByANewStream() {
        var bench = Bench()
        bench.stream(1)
        bench.send(.leaseReleased(lease(1)))
        bench.send(.timerFired(.linger))
        bench.request(2, .frames, CameraWish(resolution: .high, frameRate: 30))
        #expect(bench.openings == 1)
        bench.send(.closed(bench.opened))
        #expect(bench.openings == 2)
        bench.send(.opened(bench.opened))
        #expect(bench.grants(2) == 1)
    }

    @Test func openingIsTriedThreeTimesWithARestBetween() {
        var bench = Bench()
        bench.request(1)
        for attempt in 1...2 {
            #expect(
                bench.send(.openFailed(bench.opened, broken)).contains(.note(.retrying(attempt: attempt, broken))))
            #expect(bench.actions.last == .startTimer(.rest, at: bench.now.advanced(by: .milliseconds(1_500))))
            #expect(bench.ends(1).isEmpty)
            bench.send(.timerFired(.rest))
        }
        #expect(bench.openings == 3)
        bench.send(.openFailed(bench.opened, broken))
        #expect(bench.ends(1) == [broken])
        #expect(bench.health == .broken)
        #expect(bench.state == .idle)
        bench.stream(2)
        #expect(bench.health == .ready)
    }

    @Test(
        "A reason that will not go away is not tried again",
        arguments: [
            CaptureError.permissionDenied, .thermalCritical, .hingesClosed, .coexistenceBlocked, .streamPaused,
            .notConnected,
        ])
    func finalReasonsEndAtOnce(_ reason: CaptureError) {
        var bench = Bench()
        bench.request(1)
        bench.send(.openFailed(bench.opened, reason))
        #expect(bench.ends(1) == [reason])
        #expect(bench.openings == 1)
        #expect(bench.health == (reason.isBreakage ? .broken : .ready))
    }

    @Test func anAttemptWithoutAnAnswerIsClosedAfterTwelveSecondsAndItsLateAnswerChangesNothing() {
        var bench = Bench()
        bench.request(1)
        let first = bench.opened
        #expect(bench.actions.contains(.startTimer(.attempt, at: MonotonicTime(nanoseconds: 12_000_000_000))))
        bench.at(12_000)
        #expect(bench.send(.timerFired(.attempt)).contains(.close(first)))
        #expect(bench.send(.opened(first)).isEmpty)
        bench.send(.closed(first))
        bench.send(.timerFired(.rest))
        #expect(bench.openings == 2)
        bench.send(.opened(bench.opened))
        #expect(bench.grants(1) == 1)
        #expect(bench.ends(1).isEmpty)
    }

    @Test func aUseWaitsThirtyNineSecondsForAStreamAtMost() {
        var bench = Bench()
        #expect(
            bench.request(1).contains(.startTimer(.lease(lease(1)), at: MonotonicTime(nanoseconds: 39_000_000_000))))
        bench.at(39_000)
        bench.send(.timerFired(.lease(lease(1))))
        #expect(bench.ends(1).map(\.code) == ["open_stream_failed"])
        #expect(bench.health == .broken)
        bench.send(.opened(bench.opened))
        #expect(bench.grants(1) == 0)
    }

    @Test func aPhotoWaitsTenSecondsForAUsableFrameAndFortyFiveInAll() {
        var bench = Bench()
        bench.request(1)
        bench.at(38_000)
        let end = MonotonicTime(nanoseconds: 45_000_000_000)
        #expect(bench.send(.opened(bench.opened)).contains(.startTimer(.lease(lease(1)), at: end)))
        bench.request(2)
        #expect(bench.actions.contains(.startTimer(.lease(lease(2)), at: MonotonicTime(nanoseconds: 48_000_000_000))))
        bench.at(45_000)
        bench.send(.timerFired(.lease(lease(1))))
        #expect(bench.ends(1).map(\.code) == ["frame_grab_timeout"])
        #expect(bench.ends(2).isEmpty)
    }

    @Test func aPauseEndsPhotosKeepsReadersAndClipsAndRefusesNewUses() {
        var bench = Bench()
        bench.stream(1, .frames)
        bench.request(2, .clip)
        bench.request(3, .photo)
        bench.request(4, .still)
        bench.send(.paused(bench.opened, .streamPaused))
        #expect(bench.state == .paused)
        #expect(bench.ends(3) == [.streamPaused] && bench.ends(4) == [.streamPaused])
        #expect(bench.ends(1).isEmpty && bench.ends(2).isEmpty)
        for (number, use) in [(5, CameraUse.photo), (6, .still), (7, .clip), (8, .frames)] {
            bench.request(number, use)
            #expect(bench.ends(number) == [.streamPaused])
        }
        bench.send(.resumed(bench.opened))
        #expect(bench.state == .streaming)
        bench.request(9, .photo)
        #expect(bench.grants(9) == 1)
    }

    @Test func aPausedStreamIsNotClosedForWantOfUsersButAResumedOneIs() {
        var bench = Bench()
        bench.stream(1)
        bench.send(.paused(bench.opened, .streamPaused))
        #expect(
            !bench.send(.leaseReleased(lease(1))).contains {
                if case .startTimer(.linger, _) = $0 { true } else { false }
            })
        #expect(bench.closings == 0)
        let resumed = bench.send(.resumed(bench.opened))
        #expect(resumed.contains(.startTimer(.linger, at: bench.now.advanced(by: .seconds(10)))))
    }

    @Test func theEndOfTheStreamEndsEveryUseOnceAndTheNextOneOpensItAgain() {
        var bench = Bench()
        bench.stream(1, .frames)
        bench.request(2, .clip)
        bench.send(.ended(bench.opened, broken))
        bench.send(.ended(bench.opened, broken))
        #expect(bench.ends(1) == [broken] && bench.ends(2) == [broken])
        #expect(bench.closings == 1)
        #expect(bench.health == .broken)
        bench.send(.closed(bench.opened))
        bench.stream(3)
        #expect(bench.grants(3) == 1)
        #expect(bench.health == .ready)
    }

    @Test func aStreamWithoutFramesIsOpenedAnewWithItsUsersAndThreeTimesInARowEndThem() {
        var bench = Bench()
        bench.stream(1, .frames)
        for stall in 1...3 {
            bench.at(Int64(stall) * 10_000 - 1_000)
            bench.send(.watched(bench.opened, lastFrame: bench.now))
            bench.at(Int64(stall) * 10_000 + 4_001)
            bench.send(
                .watched(
                    bench.opened, lastFrame: MonotonicTime(nanoseconds: (Int64(stall) * 10_000 - 1_000) * 1_000_000)))
            #expect(bench.closings == stall)
            guard stall < 3 else { break }
            #expect(bench.ends(1).isEmpty)
            #expect(bench.state == .arming)
            bench.send(.closed(bench.opened))
            bench.send(.opened(bench.opened))
        }
        #expect(bench.ends(1).map(\.code) == ["stream_stalled"])
        #expect(bench.grants(1) == 1)
    }

    @Test func aStreamThatDeliversAgainHasItsStallsForgotten() {
        var bench = Bench()
        bench.stream(1, .frames)
        for round in 0..<6 {
            let start = Int64(round) * 20_000
            bench.at(start + 6_000)
            bench.send(.watched(bench.opened, lastFrame: bench.now))
            let last = bench.now
            bench.at(start + 12_000)
            bench.send(.watched(bench.opened, lastFrame: last))
            bench.send(.closed(bench.opened))
            bench.send(.opened(bench.opened))
        }
        #expect(bench.ends(1).isEmpty)
        #expect(bench.openings == 7)
    }

    @Test func aClosedGateEndsEverythingAtOnceAndReleasesTheDevice() {
        for toggle in ["privacy_mode", "camera_streaming_enabled"] {
            var bench = Bench()
            bench.stream(1, .frames)
            for (number, use) in [(2, CameraUse.photo), (3, .still), (4, .clip)] { bench.request(number, use) }
            bench.send(.gateChanged(.closed(toggle: toggle)))
            for number in 1...4 { #expect(bench.ends(number) == [.disabledByUser(toggle: toggle)]) }
            #expect(bench.closings == 1)
            #expect(!bench.machine.isSettled)
            bench.send(.closed(bench.opened))
            #expect(bench.machine.isSettled)
            bench.request(5)
            #expect(bench.ends(5) == [.disabledByUser(toggle: toggle)])
            bench.send(.gateChanged(.open))
            bench.request(6)
            #expect(bench.openings == 2)
        }
    }

    @Test func aGateThatClosesWhileTheStreamIsOpenedClosesItWhenItsAnswerComes() {
        var bench = Bench()
        bench.request(1)
        let stream = bench.opened
        #expect(bench.send(.gateChanged(.closed(toggle: "privacy_mode"))).contains(.close(stream)))
        #expect(bench.send(.opened(stream)).isEmpty)
        bench.send(.closed(stream))
        #expect(bench.state == .idle)
        #expect(bench.health == .ready)
    }

    @Test func aLostDeviceEndsEveryUseAndItsHealthIsForgotten() {
        var bench = Bench()
        bench.stream(1, .frames)
        bench.request(2, .still)
        bench.send(.deviceChanged(modes: SimulatedCamera.documentedModes, isConnected: false))
        #expect(bench.ends(1) == [.notConnected] && bench.ends(2) == [.notConnected])
        bench.request(3)
        #expect(bench.ends(3) == [.notConnected])
        #expect(bench.health == .ready)
    }

    @Test func withoutACameraEveryUseIsRefusedByName() {
        var bench = Bench(connected: false)
        bench.request(1)
        #expect(bench.ends(1) == [.notConnected])
        bench.send(.deviceChanged(modes: [], isConnected: true))
        bench.request(2)
        #expect(bench.ends(2).map(\.code) == ["no_camera"])
    }

    @Test func aStillNeedsNoStreamIsOneAtATimeAndEndsAfterTwelveSeconds() {
        var bench = Bench()
        bench.request(1, .still)
        #expect(bench.grants(1) == 1)
        #expect(bench.openings == 0)
        bench.request(2, .still)
        #expect(bench.ends(2).map(\.code) == ["busy"])
        bench.at(12_000)
        bench.send(.timerFired(.lease(lease(1))))
        #expect(bench.ends(1).map(\.code) == ["capture_photo_timeout"])
        #expect(bench.health == .broken)
        bench.send(.stillEnded(nil))
        #expect(bench.health == .ready)
    }

    @Test func whatAnotherStreamTellsChangesNothing() {
        var bench = Bench()
        bench.stream(1)
        let other = Machine.StreamID(number: 99)
        let strangers: [Machine.Input] = [
            .opened(other), .openFailed(other, broken), .paused(other, .streamPaused), .resumed(other),
            .ended(other, broken), .closed(other), .watched(other, lastFrame: nil), .timerFired(.attempt),
            .timerFired(.rest), .timerFired(.linger), .timerFired(.lease(lease(77))), .leaseReleased(lease(77)),
        ]
        for input in strangers { #expect(bench.send(input).isEmpty, "\(input)") }
    }

    /// Whatever comes in whatever order: one ending at most for each lease, no grant after it, and never two streams at once.
    @Test(arguments: 0..<40)
    func anyOrderOfFactsKeepsThePromises(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &* 0x9E37_79B9 &+ 7)
        var bench = Bench()
        var ended: Set<CameraStateMachine.LeaseID> = []
        var open: CameraStateMachine.StreamID?
        for step in 0..<600 {
            bench.at(Int64(step) * 400)
            let input = Self.anyInput(step, bench.opened, &generator)
            switch input {
            case .openFailed(let stream, _), .closed(let stream): if stream == open { open = nil }
            default: break
            }
            for action in bench.send(input) {
                switch action {
                case .end(let id, _):
                    let isFirst = ended.insert(id).inserted
                    #expect(isFirst, "\(id) ended twice")
                case .grant(let id): #expect(!ended.contains(id))
                case .open(let stream, _):
                    #expect(open == nil, "two streams at once")
                    open = stream
                default: break
                }
            }
        }
    }
}

extension CameraStateMachineTests {
    fileprivate static func anyInput(
        _ step: Int, _ stream: CameraStateMachine.StreamID, _ generator: inout SeededGenerator
    ) -> CameraStateMachine.Input {
        let uses: [CameraUse] = [.photo, .still, .clip, .frames]
        let some = CameraStateMachine.LeaseID(number: Int.random(in: max(0, step - 12)...step, using: &generator))
        let inputs: [CameraStateMachine.Input] = [
            .leaseRequested(
                CameraStateMachine.LeaseID(number: step), uses[step % 4], CameraWish(resolution: .low, frameRate: 15)),
            .leaseRequested(
                CameraStateMachine.LeaseID(number: step), uses[step % 4], CameraWish(resolution: .high, frameRate: 30)),
            .leaseReleased(some), .opened(stream), .opened(stream), .openFailed(stream, broken),
            .paused(stream, .streamPaused), .resumed(stream), .resumed(stream), .ended(stream, broken),
            .closed(stream), .closed(stream), .watched(stream, lastFrame: nil), .timerFired(.attempt),
            .timerFired(.rest), .timerFired(.linger), .timerFired(.lease(some)), .stillEnded(broken),
            .gateChanged(.closed(toggle: "privacy_mode")), .gateChanged(.open), .gateChanged(.open),
            .deviceChanged(modes: SimulatedCamera.documentedModes, isConnected: step % 9 != 0),
        ]
        return inputs[Int.random(in: inputs.indices, using: &generator)]
    }
}
