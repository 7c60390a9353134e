import MWDATCore
import SeededRandom
import Testing

@testable import MWDATCamera

/// A stream's machine under whatever comes, in sequences that can be repeated.
@Suite struct RandomStreamTests {
    @Test("Whatever comes, photos end once, times increase, and a stop ends in stopped", arguments: 0..<10)
    func sequences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var run = MachineRun(coding: Bool.random(using: &random) ? .i420 : .hvc1)
            for _ in 0..<120 {
                run.apply(input(&random))
                if Int.random(in: 0..<4, using: &random) == 0 {
                    run.wait(.milliseconds(Int.random(in: 1...4_000, using: &random)))
                }
            }
            // A start that waits for the end of the last run is taken back by the second stop.
            run.apply(.stopRequested, .stopRequested)
            run.wait(.seconds(9))
            check(run)
        }
    }

    private func check(_ run: MachineRun) {
        #expect(run.machine.state == .stopped)
        #expect(run.machine.deadline == nil)
        #expect(run.machine.delivery == .idle)
        #expect(zip(run.states, run.states.dropFirst()).allSatisfy { $0 != $1 })
        #expect(zip(run.times, run.times.dropFirst()).allSatisfy { $0 < $1 })
        var open: Set<LinkRequest> = []
        for action in run.actions {
            switch action {
            case .capturePhoto(let request, _): #expect(open.insert(request).inserted)
            case .deliverPhoto(let request), .failPhoto(let request, _): #expect(open.remove(request) != nil)
            default: continue
            }
        }
        #expect(open.isEmpty)
        #expect(run.count(of: .acquireCamera) == run.count(of: .releaseCamera))
    }

    private func input(_ random: inout SeededGenerator) -> StreamStateMachine.Input {
        let run = LinkStream.random(in: 1...3, using: &random)
        let request = LinkRequest.random(in: 1...1_000, using: &random)
        let reason: Refusal? = Refusal.Check.allCases.randomElement(using: &random).map { .test($0) }
        let facts = PictureFacts(
            coding: Bool.random(using: &random) ? .i420 : .hvc1, isWellFormed: request % 9 > 0,
            isKeyFrame: request % 3 > 0, time: request % 50 == 0 ? .max : UInt64(request) * 1_000_000)
        let choices: [StreamStateMachine.Input] = [
            .startRequested(run), .startRequested(run), .startRequested(run), .stopRequested,
            .cameraReady("glasses-1"), .cameraReady("glasses-1", isSessionPaused: true),
            .cameraReady("glasses-1", isAppHidden: true), .cameraAwaited(.test(.link)),
            .cameraRefused(reason ?? .test(.link)), .sessionEnded(reason), .sessionEnded(nil), .sessionPaused,
            .sessionResumed, .appHidden, .appShown, .runStarted(run), .runPaused(run), .runResumed(run),
            .runEnded(run, reason), .runEnded(run, nil), .pictureArrived(run, facts), .pictureArrived(run, facts),
            .pictureArrived(run, facts), .pictureArrived(run, facts), .pictureMissed,
            .soundArrived(run, SoundFacts(isUsable: request % 2 == 0, time: UInt64(request))),
            .photoRequested(request, .jpeg), .photoRequested(request, .heic),
            .photoArrived(request, isPicture: request % 2 == 0), .photoFailed(request, .test(.media)), .timePassed,
        ]
        return choices.randomElement(using: &random) ?? .timePassed
    }
}
