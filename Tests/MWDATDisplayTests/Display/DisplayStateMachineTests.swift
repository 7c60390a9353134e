import Foundation
import MWDATCore
import Testing

@testable import MWDATDisplay

/// The display's own table: what each fact does in each state.
@Suite struct DisplayStateMachineTests {
    private typealias Machine = DisplayStateMachine
    private static let tree = Data("{}".utf8)
    private static let lost = Refusal(.link, "The glasses are out of reach.", isRetryable: true)

    /// A machine after `inputs`, one second apart, and what the last of them did.
    private func after(_ inputs: [Machine.Input]) -> (machine: Machine, actions: [Machine.Action]) {
        var machine = Machine()
        var actions: [Machine.Action] = []
        for (second, input) in inputs.enumerated() {
            actions = machine.apply(input, at: Self.second(second))
        }
        return (machine, actions)
    }

    private static func second(_ second: Int) -> Uptime { Uptime(nanoseconds: Int64(second) * 1_000_000_000) }

    private static let started: [Machine.Input] = [.startRequested, .displayStarted]

    private static func view(_ request: LinkRequest, isVideo: Bool = false) -> Machine.Input {
        .viewSubmitted(request, tree: tree, isVideo: isVideo)
    }

    // MARK: - States

    @Test func aStartAsksTheGlassesAndWaitsFiveSeconds() {
        let (machine, actions) = after([.startRequested])
        #expect(machine.state == .starting)
        #expect(actions == [.publish(.starting), .startTimer(.start, at: Self.second(5)), .startDisplay])
    }

    @Test func theGlassesAnswerEndsTheStart() {
        let (machine, actions) = after(Self.started)
        #expect(machine.state == .started)
        #expect(actions == [.stopTimer(.start), .publish(.started)])
    }

    @Test func aStopAsksTheGlassesAndEndsWithTheirAnswer() {
        #expect(
            after(Self.started + [.stopRequested]).actions == [
                .stopTimer(.start), .publish(.stopping), .startTimer(.stop, at: Self.second(4)), .stopDisplay,
            ])
        let (machine, actions) = after(Self.started + [.stopRequested, .displayEnded(nil)])
        #expect(actions == [.stopTimer(.stop), .detach, .publish(.stopped), .endStreams])
        #expect(machine.endReason == nil)
    }

    @Test func aStopWithoutAnAnswerEndsByItself() {
        let (machine, actions) = after(Self.started + [.stopRequested, .timerFired(.stop)])
        #expect(machine.state == .stopped)
        #expect(actions == [.stopTimer(.stop), .detach, .publish(.stopped), .endStreams])
    }

    @Test func aDisplayThatTheGlassesEndTellsWhyAndDetaches() {
        let (machine, actions) = after(Self.started + [.displayEnded(Self.lost)])
        #expect(
            actions == [
                .stopTimer(.start), .publish(.stopping), .report(.deviceDisconnected), .detach, .publish(.stopped),
                .endStreams,
            ])
        #expect(machine.endReason == Self.lost)
    }

    @Test func aRefusedStartTellsTheGlassesSentence() {
        let refusal = Refusal(.battery, "Charge the glasses.", isRetryable: true)
        let (machine, actions) = after([.startRequested, .displayEnded(refusal)])
        #expect(actions.contains(.report(.displayError("Charge the glasses."))))
        #expect(actions.contains(.detach))
        #expect(machine.endReason == refusal)
    }

    @Test func report34_aStartThatTheGlassesNeverAnswerEndsInATypedErrorAndStopped() {
        let (machine, actions) = after([.startRequested, .timerFired(.start)])
        #expect(machine.state == .stopping)
        guard case .report(.displayError(let message)) = actions.first else {
            Issue.record("the error comes first")
            return
        }
        #expect(message.hasPrefix("The display did not start within 5 s."))
        #expect(machine.endReason?.check == .timeout)
        let (ended, last) = after([.startRequested, .timerFired(.start), .displayEnded(nil)])
        #expect(ended.state == .stopped)
        #expect(last == [.stopTimer(.stop), .detach, .publish(.stopped), .endStreams])
        #expect(ended.endReason?.check == .timeout)
    }

    @Test func theEndOfAnEarlierDisplayDoesNotEndTheStartOfTheNext() {
        let (machine, actions) = after([.startRequested, .displayEnded(nil)])
        #expect(machine.state == .starting)
        #expect(actions.isEmpty)
    }

    @Test func aSessionThatEndsAtWillStopsItsDisplayWithinAShorterTime() {
        let (_, actions) = after(Self.started + [.sessionEnding(nil)])
        #expect(actions.contains(.stopDisplay))
        #expect(actions.contains(.startTimer(.stop, at: Self.second(2) + .milliseconds(800))))
    }

    @Test func aSessionThatEndsShortensAStopThatIsUnderWay() {
        let (machine, actions) = after(Self.started + [.stopRequested, .sessionEnding(nil)])
        #expect(machine.state == .stopping)
        #expect(actions == [.stopTimer(.stop), .startTimer(.stop, at: Self.second(3) + .milliseconds(800))])
    }

    @Test func aSessionThatIsLostEndsItsDisplayAtOnce() {
        let (machine, actions) = after(Self.started + [.sessionEnding(Self.lost)])
        #expect(machine.state == .stopped)
        #expect(!actions.contains(.stopDisplay))
        #expect(actions.contains(.detach))
    }

    @Test(
        "A display that was never started detaches without a change of its state",
        arguments: [DisplayStateMachine.Input.stopRequested, .sessionEnding(nil), .sessionEnding(lost)])
    func neverStarted(_ end: DisplayStateMachine.Input) {
        let (machine, actions) = after([end])
        #expect(machine.state == .stopped)
        #expect(actions == [.detach, .endStreams])
    }

    @Test(
        "A call that has nothing to do changes nothing",
        arguments: [
            ([.startRequested, .startRequested], []), (started + [.startRequested], []),
            (started + [.stopRequested, .stopRequested], []), (started + [.displayStarted], []),
            (started + [.stopRequested, .displayEnded(nil), .stopRequested], []),
            (started + [.stopRequested, .displayEnded(nil), .displayEnded(lost)], []),
            (started + [.stopRequested, .startRequested], [.report(.connectionNotAvailable)]),
            (started + [.stopRequested, .displayEnded(nil), .startRequested], [.report(.deviceDisconnected)]),
            ([.displayStarted], []), (started + [.timerFired(.start)], []), (started + [.timerFired(.stop)], []),
        ] as [([DisplayStateMachine.Input], [DisplayStateMachine.Action])])
    func idle(_ inputs: [DisplayStateMachine.Input], _ actions: [DisplayStateMachine.Action]) {
        #expect(after(inputs).actions == actions)
    }

    // MARK: - Views

    @Test func aViewIsSentAndItsCallEndsWhenItIsShown() {
        #expect(
            after(Self.started + [Self.view(1)]).actions == [
                .startTimer(.view(1), at: Self.second(7)), .showView(1, tree: Self.tree),
            ])
        #expect(
            after(Self.started + [Self.view(1), .viewShown(1)]).actions == [.stopTimer(.view(1)), .finish(1, nil)])
    }

    @Test(
        "A view that is sent while nothing can be shown is refused, and its handlers go",
        arguments: [
            ([], .connectionNotAvailable), ([.startRequested], .connectionNotAvailable),
            (started + [.stopRequested], .connectionNotAvailable),
            (started + [.displayEnded(lost)], .deviceDisconnected),
        ] as [([DisplayStateMachine.Input], DisplayError)])
    func unavailable(_ inputs: [DisplayStateMachine.Input], _ error: DisplayError) {
        #expect(after(inputs + [Self.view(1)]).actions == [.finish(1, error), .dropHandlers(1)])
        #expect(after(inputs + [.clearRequested(1)]).actions == [.finish(1, error)])
        #expect(after(inputs + [.videoStopRequested(1)]).actions == [.finish(1, nil)])
    }

    @Test func theHandlersChangeWhenTheNextViewIsShownAndNotWhenItIsSent() {
        let shown = Self.started + [Self.view(1), .viewShown(1), Self.view(2)]
        #expect(after(shown + [.elementTapped("e1")]).actions == [.runTap(1, "e1")])
        #expect(
            after(shown + [.viewShown(2)]).actions == [.stopTimer(.view(2)), .dropHandlers(1), .finish(2, nil)])
        #expect(after(shown + [.viewShown(2), .elementTapped("e1")]).actions == [.runTap(2, "e1")])
    }

    @Test func aRefusedViewLeavesTheLastOneAndItsHandlers() {
        let inputs =
            Self.started + [
                Self.view(1), .viewShown(1), Self.view(2),
                .viewFailed(2, Refusal(.resources, "Too large.", isRetryable: false)),
            ]
        #expect(
            after(inputs).actions == [.stopTimer(.view(2)), .finish(2, .displayError("Too large.")), .dropHandlers(2)])
        #expect(after(inputs + [.elementTapped("e1")]).actions == [.runTap(1, "e1")])
    }

    @Test func aClearedDisplayHasNothingToTap() {
        let inputs = Self.started + [Self.view(1), .viewShown(1), .clearRequested(2)]
        #expect(after(inputs).actions.last == .clearDisplay(2))
        #expect(
            after(inputs + [.viewShown(2)]).actions == [.stopTimer(.view(2)), .dropHandlers(1), .finish(2, nil)])
        #expect(after(inputs + [.viewShown(2), .elementTapped("e1")]).actions.isEmpty)
    }

    @Test func aViewWithoutAnAnswerEndsInFiveSecondsAndCountsIfItIsShownLater() {
        let inputs = Self.started + [Self.view(1), .timerFired(.view(1))]
        guard case .finish(1, .displayError(let message)) = after(inputs).actions.first else {
            Issue.record("the call must end")
            return
        }
        #expect(message.hasPrefix("The glasses did not answer within 5 s."))
        #expect(after(inputs + [.viewShown(1)]).actions == [.stopTimer(.view(1))])
        #expect(after(inputs + [.viewShown(1), .elementTapped("e1")]).actions == [.runTap(1, "e1")])
        #expect(after(inputs + [.timerFired(.view(1))]).actions.isEmpty)
    }

    @Test func aFifthViewIsRefusedWhileFourWait() {
        let waiting = Self.started + (1...4).map { Self.view($0) }
        let actions = after(waiting + [Self.view(5)]).actions
        #expect(
            actions == [
                .finish(5, .displayError("4 views wait for the display already. Await their send first.")),
                .dropHandlers(5),
            ])
    }

    @Test func aViewThatTimedOutGivesItsPlaceToAFifth() {
        let waiting = Self.started + (1...4).map { Self.view($0) } + [.timerFired(.view(2)), Self.view(5)]
        let actions = after(waiting).actions
        #expect(actions.first == .dropHandlers(2))
        #expect(actions.last == .showView(5, tree: Self.tree))
    }

    @Test func theEndOfTheDisplayEndsEveryCallThatWaits() {
        let inputs =
            Self.started + [
                Self.view(1), .viewShown(1), Self.view(2, isVideo: true), .videoStopRequested(3), .clearRequested(4),
                .displayEnded(Self.lost),
            ]
        let actions = after(inputs).actions
        for (request, error) in [(2, .deviceDisconnected), (3, nil), (4, .deviceDisconnected)]
            as [(LinkRequest, DisplayError?)]
        {
            #expect(actions.count { $0 == .finish(request, error) } == 1)
        }
        #expect(actions.contains(.announce(VideoPlaybackEvent(type: .stopped, errorType: nil))))
        for request: LinkRequest in [1, 2] { #expect(actions.contains(.dropHandlers(request))) }
        #expect(actions.suffix(3) == [.detach, .publish(.stopped), .endStreams])
    }

    @Test func answersForNobodyAreIgnored() {
        for input in [.viewShown(9), .viewFailed(9, Self.lost), .timerFired(.view(9)), .elementTapped("e1")]
            as [DisplayStateMachine.Input]
        {
            #expect(after(Self.started + [input]).actions.isEmpty)
        }
    }

    // MARK: - Video

    private static let playing = started + [view(1, isVideo: true), .viewShown(1), .playbackReported(.started)]

    @Test func aVideoTellsItsStartAndItsEnd() {
        #expect(after(Self.playing).actions == [.announce(VideoPlaybackEvent(type: .started, errorType: nil))])
        #expect(
            after(Self.playing + [.playbackReported(.ended)]).actions == [
                .announce(VideoPlaybackEvent(type: .ended, errorType: nil))
            ])
        #expect(after(Self.playing + [.playbackReported(.ended), .playbackReported(.ended)]).actions.isEmpty)
    }

    @Test(
        "A video that cannot be played tells why, to its own handler and to the display's",
        arguments: [
            (LinkPlayback.urlInvalid, VideoErrorType.urlInvalid), (.alreadyPlaying, .alreadyPlaying),
            (.failed, .playbackFailed),
        ])
    func failure(_ playback: LinkPlayback, _ type: VideoErrorType) {
        #expect(
            after(Self.playing + [.playbackReported(playback)]).actions == [
                .failVideo(1, .playbackFailed(type)), .announce(VideoPlaybackEvent(type: .error, errorType: type)),
            ])
    }

    @Test func aSecondVideoIsRefusedWhileOnePlaysAndTakenAfterIt() {
        #expect(
            after(Self.playing + [Self.view(2, isVideo: true)]).actions == [
                .failVideo(2, .playbackFailed(.alreadyPlaying)),
                .announce(VideoPlaybackEvent(type: .error, errorType: .alreadyPlaying)), .finish(2, .streamRejected),
                .dropHandlers(2),
            ])
        let next = after(Self.playing + [.playbackReported(.ended), Self.view(2, isVideo: true)]).actions
        #expect(next.last == .showView(2, tree: Self.tree))
    }

    @Test func aViewInPlaceOfAVideoStopsIt() {
        let actions = after(Self.playing + [Self.view(2), .viewShown(2)]).actions
        #expect(
            actions == [
                .stopTimer(.view(2)), .dropHandlers(1), .announce(VideoPlaybackEvent(type: .stopped, errorType: nil)),
                .finish(2, nil),
            ])
        #expect(after(Self.playing + [Self.view(2), .viewShown(2), .playbackReported(.stopped)]).actions.isEmpty)
    }

    @Test func aRefusedVideoTellsSo() {
        let media = Refusal(.media, "not an MP4", isRetryable: false)
        #expect(
            after(Self.started + [Self.view(1, isVideo: true), .viewFailed(1, media)]).actions == [
                .stopTimer(.view(1)), .failVideo(1, .streamRejected),
                .announce(VideoPlaybackEvent(type: .error, errorType: .unknown)), .finish(1, .streamRejected),
                .dropHandlers(1),
            ])
    }

    @Test func aStopOfTheVideoWaitsForItsEnd() {
        let stopping = Self.playing + [.videoStopRequested(2)]
        #expect(after(stopping).actions == [.startTimer(.videoStop(2), at: Self.second(7)), .stopPlayback])
        #expect(
            after(stopping + [.videoStopRequested(3)]).actions == [.startTimer(.videoStop(3), at: Self.second(8))])
        let stopped = VideoPlaybackEvent(type: .stopped, errorType: nil)
        #expect(
            after(stopping + [.videoStopRequested(3), .playbackReported(.stopped)]).actions == [
                .announce(stopped), .stopTimer(.videoStop(2)), .finish(2, nil), .stopTimer(.videoStop(3)),
                .finish(3, nil),
            ])
        #expect(
            after(stopping + [.timerFired(.videoStop(2))]).actions == [
                .announce(stopped), .stopTimer(.videoStop(2)), .finish(2, nil),
            ])
        #expect(after(Self.started + [.videoStopRequested(2)]).actions == [.finish(2, nil)])
    }

    @Test(
        "The reason of the glasses becomes the documented case that says most of it",
        arguments: Refusal.Check.allCases)
    func mapping(_ check: Refusal.Check) {
        let error = DisplayError(Refusal(check, "text", isRetryable: true))
        switch check {
        case .notFound: #expect(error == .deviceNotFound)
        case .link, .power, .hinges, .transport, .endedByDevice: #expect(error == .deviceDisconnected)
        default: #expect(error == .displayError("text"))
        }
    }
}
