import Foundation
import MWDATCore
import Synchronization
import TestLink
import Testing

@testable import MWDATDisplay

@Suite(.timeLimit(.minutes(1))) struct DisplayTests {
    private static let lost = Refusal(.link, "The glasses are out of reach.", isRetryable: true)

    /// Sends `view` and answers by `answer` once the command is there; what the call threw.
    private func send(
        _ view: some DisplayableView, on lab: DisplayLab,
        answer: @escaping @Sendable (LinkRequest) -> DisplayStateMachine.Input
    ) async -> (any Error)? {
        await withTaskGroup(of: (any Error)?.self) { group in
            let sent = lab.commands.all.count
            group.addTask {
                do {
                    try await lab.display.send(view)
                    return nil
                } catch {
                    return error
                }
            }
            if let request = await lab.nextView(after: sent) { lab.driver.take(answer(request)) }
            return await group.next() ?? nil
        }
    }

    @Test func listenersHearEveryStateInOrderAndStreamsBeginWithTheCurrentOne() async {
        let lab = DisplayLab()
        let heard = Mutex<[DisplayState]>([])
        let token = lab.display.statePublisher.listen { state in heard.withLock { $0.append(state) } }
        lab.display.start()
        #expect(lab.display.state == .starting)
        lab.settle()
        let stream = lab.display.statePublisher.stream
        lab.driver.take(.displayStarted)
        lab.display.stop()
        lab.driver.take(.displayEnded(nil))
        var streamed: [DisplayState] = []
        for await state in stream { streamed.append(state) }
        #expect(streamed == [.starting, .started, .stopping, .stopped])
        lab.settle()
        #expect(heard.withLock { $0 } == [.starting, .started, .stopping, .stopped])
        #expect(lab.commands.all == [.startDisplay(7), .stopDisplay(7)])
        #expect(lab.commands.detached == 1)
        #expect(lab.time.pending == 0)
        await token.cancel()
    }

    @Test("Report 34: a start that the glasses never answer ends in an error and `stopped`, not in `starting` for ever")
    func report34() async {
        let lab = DisplayLab()
        let errors = Mutex<[DisplayError]>([])
        let token = lab.display.errorPublisher.listen { error in errors.withLock { $0.append(error) } }
        lab.display.start()
        lab.settle()
        lab.time.advance(by: .milliseconds(4999))
        lab.settle()
        #expect(lab.display.state == .starting)
        lab.time.advance(by: .milliseconds(1))
        lab.settle()
        #expect(lab.display.state == .stopping)
        lab.time.advance(by: .seconds(2))
        lab.settle()
        #expect(lab.display.state == .stopped)
        #expect(errors.withLock { $0.count } == 1)
        #expect(errors.withLock { $0.first?.description.contains("did not start within 5 s") } == true)
        #expect(lab.display.endReason?.check == .timeout)
        #expect(lab.commands.detached == 1)
        await token.cancel()
    }

    @Test func aViewIsSentAndItsTapsRunItsHandlersUntilTheNextIsShown() async throws {
        let lab = DisplayLab.started()
        let taps = Mutex<[String]>([])
        for name in ["first", "second"] {
            let view = FlexBox { Button(label: name) { taps.withLock { $0.append(name) } } }
            #expect(await send(view, on: lab) { .viewShown($0) } == nil)
            lab.driver.take(.elementTapped("e1"))
            lab.driver.take(.elementTapped("e2"))
            lab.settle()
        }
        #expect(taps.withLock { $0 } == ["first", "second"])
        guard case .showView(7, _, let bytes) = lab.commands.all.last else {
            Issue.record("the view must be sent")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""id":"e1""#))
        #expect(lab.time.pending == 0)
    }

    @Test func aRefusedViewThrowsTheReason() async {
        let lab = DisplayLab.started()
        let error = await send(FlexBox {}, on: lab) {
            .viewFailed($0, Refusal(.resources, "The glasses have no memory left.", isRetryable: true))
        }
        #expect(error as? DisplayError == .displayError("The glasses have no memory left."))
    }

    @Test func aViewThatNobodyAnswersThrowsAfterFiveSeconds() async {
        let lab = DisplayLab.started()
        let error = await send(FlexBox {}, on: lab) { _ in
            lab.time.advance(by: .seconds(5))
            return .elementTapped("")
        }
        #expect((error as? DisplayError)?.description.contains("did not answer within 5 s") == true)
    }

    @Test func aViewThatWaitsThrowsWhenTheDisplayIsLost() async {
        let lab = DisplayLab.started()
        #expect(
            await send(FlexBox {}, on: lab) { _ in .sessionEnding(Self.lost) } as? DisplayError == .deviceDisconnected)
        #expect(lab.display.endReason == Self.lost)
        await #expect(throws: DisplayError.deviceDisconnected) { try await lab.display.clearDisplay() }
        await lab.display.sendVideoStop()
    }

    @Test func aViewIsNotSentBeforeTheDisplayHasStarted() async {
        let lab = DisplayLab()
        await #expect(throws: DisplayError.connectionNotAvailable) { try await lab.display.send(FlexBox {}) }
        lab.display.start()
        await #expect(throws: DisplayError.connectionNotAvailable) { try await lab.display.clearDisplay() }
        lab.settle()
        #expect(lab.commands.all == [.startDisplay(7)])
    }

    @Test func aVideosFailureReachesItsOwnHandlerAndTheDisplays() async {
        let lab = DisplayLab.started()
        let told = Mutex<[String]>([])
        lab.display.onPlaybackEvent = { event in
            told.withLock { $0.append("\(event.type) \(event.errorType?.rawValue ?? "-")") }
        }
        let video = VideoPlayer(provider: .uri("https://example.com/a.mp4")) { error in
            told.withLock { $0.append("\(error)") }
        }
        #expect(await send(video, on: lab) { .viewShown($0) } == nil)
        lab.driver.take(.playbackReported(.started))
        lab.driver.take(.playbackReported(.urlInvalid))
        lab.settle()
        #expect(
            told.withLock { $0 } == [
                "started -", "playbackFailed(MWDATDisplay.VideoErrorType.urlInvalid)", "error urlInvalid",
            ])
    }

    @Test func aHandlerMayCallTheDisplayItself() async {
        let lab = DisplayLab.started()
        let view = FlexBox { Button(label: "stop") { lab.display.stop() } }
        #expect(await send(view, on: lab) { .viewShown($0) } == nil)
        lab.driver.take(.elementTapped("e1"))
        lab.settle()
        #expect(lab.display.state == .stopping)
    }

    @Test func whatAHandlerHoldsMayCallTheDisplayAsItGoes() async {
        let (lab, ends) = (DisplayLab.started(), Ends())
        lab.display.onPlaybackEvent = { [ending = Ending(of: lab, ends)] _ in withExtendedLifetime(ending) {} }
        lab.display.onPlaybackEvent = nil
        #expect(ends.count == 1)
    }

    @Test func theHandlersOfAViewGoWhereTheAppsCodeRuns() async {
        let (lab, ends) = (DisplayLab.started(), Ends())
        let shown = await send(
            FlexBox { Button(label: "a") { [ending = Ending(of: lab, ends)] in withExtendedLifetime(ending) {} } },
            on: lab
        ) { .viewShown($0) }
        #expect(shown == nil)
        lab.settle()
        lab.announcements.suspend()
        #expect(await send(FlexBox {}, on: lab) { .viewShown($0) } == nil)
        lab.work.sync {}
        #expect(ends.count == 0)
        lab.announcements.resume()
        lab.settle()
        #expect(ends.count == 1)
    }

    @Test func everyErrorTellsAPersonWhatToDo() {
        let errors: [any DatError] =
            [
                DisplayError.deviceNotFound, DisplayError.connectionNotAvailable, DisplayError.deviceDisconnected,
                DisplayError.streamRejected, DisplayError.invalidVideoURL,
                DisplayError.displayError("Charge the glasses."),
                VideoError.streamRejected,
            ] + VideoErrorType.allCases.map { VideoError.playbackFailed($0) }
        for error in errors {
            #expect(error.description.hasSuffix("."))
            #expect(error.localizedDescription == error.description)
        }
    }
}

extension DisplayLab {
    /// The request of the next view that is sent, after `count` commands.
    fileprivate func nextView(after count: Int) async -> LinkRequest? {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            for case .showView(_, let request, _) in commands.all.dropFirst(count) { return request }
            await Task.yield()
        }
        return nil
    }
}

/// How many objects of an app have gone.
private final class Ends: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
}

/// An object of an app that calls the display as it goes.
private final class Ending: Sendable {
    private let lab: DisplayLab
    private let ends: Ends

    init(of lab: DisplayLab, _ ends: Ends) { (self.lab, self.ends) = (lab, ends) }

    deinit {
        _ = lab.display.state
        ends.add()
    }
}
