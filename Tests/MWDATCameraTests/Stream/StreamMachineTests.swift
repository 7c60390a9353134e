import MWDATCore
import Testing

@testable import MWDATCamera

@Suite struct StreamMachineTests {
    // MARK: Watch

    @Test func aStreamWithoutPicturesIsToldToStallAndAsksForOneThatCanBeDecodedAlone() {
        var run = MachineRun.streaming()
        run.wait(.milliseconds(1_900))
        #expect(run.actions == [])
        run.wait(.milliseconds(200))
        #expect(run.actions == [.publishDelivery(.stalled), .requestKeyFrame(1)])
        #expect(run.machine.state == .streaming)
        run.picture()
        #expect(run.deliveries == [.stalled, .flowing])
        #expect(run.errors == [])
    }

    @Test func aStreamThatStaysWithoutPicturesEndsAfterTenSeconds() {
        var run = MachineRun.streaming()
        run.wait(.milliseconds(9_900))
        #expect(run.states == [])
        run.wait(.milliseconds(200))
        #expect(run.errors == [.videoStreamingError])
        #expect(run.states == [.stopping])
        #expect(run.count(of: .stopRun(1)) == 1)
        #expect(run.machine.endReason?.check == .media)
        #expect(run.deliveries == [.stalled, .idle])
        #expect(run.count(of: .requestKeyFrame(1)) == 4)
    }

    @Test func aStreamThatGoesOnAfterAPauseIsWatchedBeforeItsFirstPicture() {
        var run = MachineRun.streaming()
        run.apply(.runPaused(1), .runResumed(1))
        run.wait(.seconds(11))
        #expect(run.deliveries == [.idle, .stalled, .idle])
        #expect(run.errors == [.videoStreamingError])
    }

    @Test func slowRatesDoNotStall() {
        var run = MachineRun.streaming()
        for _ in 0..<20 {
            run.wait(.milliseconds(500))
            run.picture()
        }
        #expect(run.deliveries == [])
    }

    // MARK: Pictures

    @Test func picturesInAnotherFormAreNeverHandedOver() {
        var run = MachineRun.streaming()
        run.picture(coding: .hvc1)
        #expect(run.actions == [.discardPicture(.otherCoding)])
    }

    @Test func codedPicturesBeginWithOneThatCanBeDecodedAlone() {
        var run = MachineRun(coding: .hvc1)
        run.apply(.startRequested(1), .cameraReady(MachineRun.device))
        run.picture(coding: .hvc1, isKeyFrame: false)
        run.picture(coding: .hvc1, isKeyFrame: false)
        #expect(run.machine.state == .starting)
        #expect(run.count(of: .discardPicture(.undecodable)) == 2)
        #expect(run.count(of: .requestKeyFrame(1)) == 1, "glasses are not asked for each picture")
        run.picture(coding: .hvc1)
        run.picture(coding: .hvc1, isKeyFrame: false)
        #expect(run.times.count == 2)
    }

    @Test("A damaged picture is not handed over", arguments: [(false, UInt64(0)), (true, .max), (true, 1 << 62)])
    func damaged(isWellFormed: Bool, time: UInt64) {
        var run = MachineRun.streaming()
        run.apply(
            .pictureArrived(
                1, PictureFacts(coding: .i420, isWellFormed: isWellFormed, isKeyFrame: true, time: time)))
        #expect(run.actions == [.discardPicture(.malformed)])
    }

    @Test func timesIncreaseStrictlyWhateverTheGlassesSayAndOverRestarts() {
        var run = MachineRun()
        run.apply(.startRequested(1), .cameraReady(MachineRun.device))
        for time in [1_000, 1_000, 500, 2_000] as [UInt64] { picture(at: time, of: 1, in: &run) }
        run.wait(.seconds(1))
        run.apply(.stopRequested, .runEnded(1, nil), .startRequested(2), .cameraReady(MachineRun.device))
        for time in [9, 33_000_009] as [UInt64] { picture(at: time, of: 2, in: &run) }
        #expect(run.times == [0, 1, 2, 1_000, 1_000_000_000, 1_033_000_000])
    }

    @Test func afterADamagedCodedPictureOneThatCanBeDecodedAloneIsNeeded() {
        var run = MachineRun(coding: .hvc1)
        run.apply(.startRequested(1), .cameraReady(MachineRun.device))
        run.picture(coding: .hvc1)
        run.forget()
        run.apply(
            .pictureArrived(
                1, PictureFacts(coding: .hvc1, isWellFormed: false, isKeyFrame: false, time: 40_000_000)))
        run.picture(coding: .hvc1, isKeyFrame: false)
        #expect(run.actions == [.discardPicture(.malformed), .discardPicture(.undecodable), .requestKeyFrame(1)])
        run.picture(coding: .hvc1)
        #expect(run.times.count == 1)
    }

    // MARK: Photos

    @Test(
        "A photo ends once, with the first thing that ends it",
        arguments: [
            StreamStateMachine.Input.photoFailed(7, .test(.resources)), .photoArrived(7, isPicture: false),
            .stopRequested, .sessionEnded(nil), .sessionEnded(.test(.link)), .runEnded(1, .test(.media)),
        ])
    func photoEnds(cause: StreamStateMachine.Input) {
        var run = MachineRun.streaming()
        run.apply(.photoRequested(7, .jpeg), cause)
        run.apply(.photoArrived(7, isPicture: true), .photoFailed(7, .test(.media)))
        run.wait(.seconds(20))
        #expect(run.errors.count { $0 == .photoCaptureFailed } == 1)
        #expect(run.count(of: .deliverPhoto(7)) == 0)
        #expect(run.actions.count { if case .failPhoto(7, _) = $0 { true } else { false } } == 1)
    }

    @Test func aPhotoThatDoesNotComeFailsAfterEightSecondsAndTheStreamGoesOn() {
        var run = MachineRun.streaming()
        run.apply(.photoRequested(7, .jpeg))
        for _ in 0..<79 { nextPicture(&run) }
        #expect(run.errors == [])
        nextPicture(&run)
        #expect(run.errors == [.photoCaptureFailed])
        #expect(run.machine.state == .streaming)
        run.apply(.photoRequested(8, .heic))
        #expect(run.count(of: .capturePhoto(8, .heic)) == 1)
    }

    @Test func onlyAStreamingStreamTakesAPhotoAndOnlyOneAtATime() {
        var run = MachineRun()
        run.apply(.photoRequested(1, .jpeg), .startRequested(1), .photoRequested(2, .jpeg))
        run.apply(.cameraReady(MachineRun.device), .photoRequested(3, .jpeg))
        run.picture()
        run.apply(.photoRequested(4, .jpeg), .photoRequested(5, .jpeg), .photoArrived(4, isPicture: true))
        run.apply(.runPaused(1), .photoRequested(6, .jpeg))
        let requests = run.actions.compactMap { if case .capturePhoto(let request, _) = $0 { request } else { nil } }
        #expect(requests == [4])
    }

    // MARK: Holding

    @Test func onlyRawStreamsAreHeldInTheBackground() {
        var run = MachineRun.streaming(coding: .hvc1)
        run.apply(.appHidden)
        #expect(run.actions == [])
        #expect(run.machine.state != .paused)
    }

    @Test func aRawStreamThatStartsInTheBackgroundIsHeldUntilTheAppIsShown() {
        var run = MachineRun()
        run.apply(.startRequested(1), .cameraReady(MachineRun.device, isAppHidden: true))
        #expect(run.states == [.waitingForDevice, .starting, .paused])
        #expect(run.actions.suffix(3).contains(.holdRun(1, true)))
        run.wait(.seconds(60))
        run.apply(.appShown)
        #expect(run.count(of: .holdRun(1, false)) == 1)
        run.picture()
        #expect(run.states.last == .streaming)
        #expect(run.errors == [])
    }

    @Test func aStartInAPausedSessionWaitsUntilTheSessionGoesOn() {
        var run = MachineRun()
        run.apply(.startRequested(1), .cameraReady(MachineRun.device, isSessionPaused: true))
        #expect(run.states == [.waitingForDevice])
        #expect(run.machine.waitReason?.check == .occupied)
        run.apply(.sessionResumed)
        #expect(run.states == [.waitingForDevice, .starting])
    }

    // MARK: Sound

    @Test func soundThatIsNoneIsToldOnceAndThePicturesGoOn() {
        var run = MachineRun.streaming()
        run.apply(.soundArrived(1, SoundFacts(isUsable: false, time: 0)))
        run.apply(.soundArrived(1, SoundFacts(isUsable: false, time: 0)))
        run.apply(.soundArrived(1, SoundFacts(isUsable: true, time: 66_000_000)))
        #expect(run.errors == [.audioStreamingError])
        #expect(run.actions.last == .deliverSound(time: 33_000_000))
        #expect(run.machine.state == .streaming)
    }

    private func picture(at time: UInt64, of stream: LinkStream, in run: inout MachineRun) {
        run.apply(
            .pictureArrived(
                stream, PictureFacts(coding: .i420, isWellFormed: true, isKeyFrame: true, time: time)))
    }

    private func nextPicture(_ run: inout MachineRun) {
        run.wait(.milliseconds(100))
        run.picture()
    }
}
