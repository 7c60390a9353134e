import Foundation
import MWDATCore

/// Decides what a display does: its state, which view is shown, which calls wait for an answer, and what its video does.
struct DisplayStateMachine: Sendable {
    /// What happened.
    enum Input: Sendable, Equatable {
        case startRequested
        case stopRequested
        case viewSubmitted(LinkRequest, tree: Data, isVideo: Bool)
        case clearRequested(LinkRequest)
        case videoStopRequested(LinkRequest)
        case displayStarted
        case displayEnded(Refusal?)
        case viewShown(LinkRequest)
        case viewFailed(LinkRequest, Refusal)
        case elementTapped(String)
        case playbackReported(LinkPlayback)
        case sessionEnding(Refusal?)
        case timerFired(Timer)
    }

    /// What to wait for.
    enum Timer: Sendable, Hashable {
        case start
        case stop
        case view(LinkRequest)
        case videoStop(LinkRequest)
    }

    /// What is to be done, in this order.
    enum Action: Sendable, Equatable {
        case startDisplay
        case stopDisplay
        case showView(LinkRequest, tree: Data)
        case clearDisplay(LinkRequest)
        case stopPlayback
        case startTimer(Timer, at: Uptime)
        case stopTimer(Timer)
        case publish(DisplayState)
        case report(DisplayError)
        /// Ends a waiting call; nil when it did what was asked.
        case finish(LinkRequest, DisplayError?)
        /// The handlers of this view are not needed any more.
        case dropHandlers(LinkRequest)
        /// Runs what this view does when the wearer chooses its element.
        case runTap(LinkRequest, String)
        case announce(VideoPlaybackEvent)
        case failVideo(LinkRequest, VideoError)
        /// Frees the display's place in its session.
        case detach
        /// Ends what tells states and errors.
        case endStreams
    }

    /// How long the glasses may take to start the display.
    static let startTime = Duration.seconds(5)
    /// How long they may take to stop it.
    static let stopTime = Duration.seconds(2)
    /// How long they may take when the session ends: it waits 1 s for its capabilities.
    static let cascadeTime = Duration.milliseconds(800)
    /// How long they may take to show a view.
    static let viewTime = Duration.seconds(5)
    /// How long they may take to stop a video.
    static let videoStopTime = Duration.seconds(2)

    /// A view, or an empty one, that was sent and has not been answered.
    struct Pending: Sendable, Equatable {
        let request: LinkRequest
        /// Nil for `clearDisplay`.
        let isVideo: Bool?
        /// Whether the call still waits: it may have timed out, and the view be shown later all the same.
        var isWaiting = true
    }

    private(set) var state = DisplayState.stopped
    /// Why it ended; nil while it has not, and when the app asked for it.
    private(set) var endReason: Refusal?
    /// Whether it belongs to its session no more.
    private(set) var isDetached = false
    private var pending: [Pending] = []
    /// The view that is on the panel; nil when nothing is.
    private var shown: LinkRequest?
    /// The view whose video plays or is about to.
    private var video: LinkRequest?
    private var videoStops: [LinkRequest] = []

    /// Takes what happened at `now` and tells what is to be done.
    mutating func apply(_ input: Input, at now: Uptime) -> [Action] {
        switch input {
        case .startRequested: start(at: now)
        case .stopRequested: stop(at: now, within: Self.stopTime)
        case .viewSubmitted(let request, let tree, let isVideo): submit(request, tree, isVideo: isVideo, at: now)
        case .clearRequested(let request): clear(request, at: now)
        case .videoStopRequested(let request): stopVideo(request, at: now)
        case .displayStarted: started()
        case .displayEnded(let reason): ended(reason)
        case .viewShown(let request): show(request)
        case .viewFailed(let request, let refusal): fail(request, refusal)
        case .elementTapped(let id): tap(id)
        case .playbackReported(let playback): play(playback)
        case .sessionEnding(let reason): endWithSession(reason, at: now)
        case .timerFired(let timer): timeOut(timer, at: now)
        }
    }

    // MARK: - Start and end

    private mutating func start(at now: Uptime) -> [Action] {
        switch state {
        case .starting, .started: return []
        case .stopping: return [.report(.connectionNotAvailable)]
        case .stopped:
            guard !isDetached else { return [.report(.deviceDisconnected)] }
            state = .starting
            return [.publish(.starting), .startTimer(.start, at: now + Self.startTime), .startDisplay]
        }
    }

    private mutating func started() -> [Action] {
        guard state == .starting else { return [] }
        state = .started
        return [.stopTimer(.start), .publish(.started)]
    }

    private mutating func stop(at now: Uptime, within time: Duration) -> [Action] {
        switch state {
        case .stopping: return []
        case .stopped: return isDetached ? [] : detach() + [.endStreams]
        case .starting, .started:
            state = .stopping
            return [.stopTimer(.start), .publish(.stopping)] + settle()
                + [.startTimer(.stop, at: now + time), .stopDisplay]
        }
    }

    private mutating func ended(_ reason: Refusal?) -> [Action] {
        // Nobody asked this run to end: it is the answer to the stop of an earlier display of the same session.
        guard reason != nil || state != .starting else { return [] }
        return state == .stopped ? [] : end(reason)
    }

    private mutating func endWithSession(_ reason: Refusal?, at now: Uptime) -> [Action] {
        switch (state, reason) {
        case (.starting, let reason?), (.started, let reason?), (.stopping, let reason?): end(reason)
        case (.stopping, nil): [.stopTimer(.stop), .startTimer(.stop, at: now + Self.cascadeTime)]
        case (.stopped, _), (.starting, nil), (.started, nil): stop(at: now, within: Self.cascadeTime)
        }
    }

    /// The display is gone, whatever the app wished.
    private mutating func end(_ reason: Refusal?) -> [Action] {
        var actions: [Action] = []
        if state == .stopping {
            actions.append(.stopTimer(.stop))
        } else {
            actions += [.stopTimer(.start), .publish(.stopping)]
            endReason = reason
            if let reason { actions.append(.report(DisplayError(reason))) }
            actions += settle()
        }
        state = .stopped
        // In this order, so that whoever hears `stopped` can add another display.
        return actions + detach() + [.publish(.stopped), .endStreams]
    }

    /// Ends every call that waits, the video, and the handlers.
    private mutating func settle() -> [Action] {
        var actions: [Action] = []
        for view in pending {
            actions.append(.stopTimer(.view(view.request)))
            if view.isWaiting { actions.append(.finish(view.request, .deviceDisconnected)) }
            actions.append(.dropHandlers(view.request))
        }
        pending = []
        actions += endVideo(.stopped)
        if let shown { actions.append(.dropHandlers(shown)) }
        shown = nil
        return actions
    }

    private mutating func detach() -> [Action] {
        isDetached = true
        return [.detach]
    }

    private mutating func timeOut(_ timer: Timer, at now: Uptime) -> [Action] {
        switch timer {
        case .start:
            guard state == .starting else { return [] }
            let reason = Refusal(
                .timeout,
                "The display did not start within \(Self.startTime.components.seconds) s. Check that the glasses are worn "
                    + "and awake, then add the display again.", isRetryable: true)
            endReason = reason
            return [.report(DisplayError(reason))] + stop(at: now, within: Self.stopTime)
        case .stop: return state == .stopping ? end(nil) : []
        case .view(let request): return giveUp(request)
        case .videoStop(let request): return videoStops.contains(request) ? endVideo(.stopped) : []
        }
    }

    // MARK: - Views

    private mutating func submit(
        _ request: LinkRequest, _ tree: Data, isVideo: Bool, at now: Uptime
    ) -> [Action] {
        if isVideo, video != nil {
            return [
                .failVideo(request, .playbackFailed(.alreadyPlaying)),
                .announce(VideoPlaybackEvent(type: .error, errorType: .alreadyPlaying)),
                .finish(request, .streamRejected), .dropHandlers(request),
            ]
        }
        var actions: [Action] = []
        if let error = admit(request, isVideo: isVideo, &actions) {
            return [.finish(request, error), .dropHandlers(request)]
        }
        if isVideo { video = request }
        return actions + [
            .startTimer(.view(request), at: now + Self.viewTime), .showView(request, tree: tree),
        ]
    }

    private mutating func clear(_ request: LinkRequest, at now: Uptime) -> [Action] {
        var actions: [Action] = []
        if let error = admit(request, isVideo: nil, &actions) { return [.finish(request, error)] }
        return actions + [
            .startTimer(.view(request), at: now + Self.viewTime), .clearDisplay(request),
        ]
    }

    /// Takes a call among those that wait for the display, or tells why not.
    private mutating func admit(_ request: LinkRequest, isVideo: Bool?, _ actions: inout [Action]) -> DisplayError? {
        guard state == .started else { return isDetached ? .deviceDisconnected : .connectionNotAvailable }
        if pending.count >= DisplayLimits.viewsInFlight {
            guard let late = pending.firstIndex(where: { !$0.isWaiting }) else {
                return .displayError("\(pending.count) views wait for the display already. Await their send first.")
            }
            actions.append(.dropHandlers(pending.remove(at: late).request))
        }
        pending.append(Pending(request: request, isVideo: isVideo))
        return nil
    }

    private mutating func show(_ request: LinkRequest) -> [Action] {
        guard let index = pending.firstIndex(where: { $0.request == request }) else { return [] }
        let view = pending.remove(at: index)
        var actions = [Action.stopTimer(.view(request))]
        if let shown { actions.append(.dropHandlers(shown)) }
        shown = view.isVideo == nil ? nil : request
        // Another view took the place of the video that played; one that is still on its way stays.
        if let video, video != request, !pending.contains(where: { $0.request == video }) {
            actions += endVideo(.stopped)
        }
        if view.isVideo == true { video = request }
        if view.isWaiting { actions.append(.finish(request, nil)) }
        return actions
    }

    private mutating func fail(_ request: LinkRequest, _ refusal: Refusal) -> [Action] {
        guard let index = pending.firstIndex(where: { $0.request == request }) else { return [] }
        let view = pending.remove(at: index)
        let isVideo = view.isVideo == true
        var actions = [Action.stopTimer(.view(request))] + (isVideo ? rejectVideo(request) : [])
        if view.isWaiting {
            let error = isVideo && refusal.check == .media ? .streamRejected : DisplayError(refusal)
            actions.append(.finish(request, error))
        }
        return actions + [.dropHandlers(request)]
    }

    /// The call ends; its view may still be shown, so its handlers stay until something newer takes their place.
    private mutating func giveUp(_ request: LinkRequest) -> [Action] {
        guard let index = pending.firstIndex(where: { $0.request == request && $0.isWaiting }) else { return [] }
        pending[index].isWaiting = false
        let message =
            "The glasses did not answer within \(Self.viewTime.components.seconds) s. Send the view again; "
            + "if that fails too, start a new session."
        return (pending[index].isVideo == true ? rejectVideo(request) : [])
            + [.finish(request, .displayError(message))]
    }

    private func tap(_ id: String) -> [Action] {
        guard state == .started, let shown else { return [] }
        return [.runTap(shown, id)]
    }

    // MARK: - Video

    private mutating func stopVideo(_ request: LinkRequest, at now: Uptime) -> [Action] {
        guard state == .started, video != nil else { return [.finish(request, nil)] }
        videoStops.append(request)
        let timer = Action.startTimer(.videoStop(request), at: now + Self.videoStopTime)
        return videoStops.count == 1 ? [timer, .stopPlayback] : [timer]
    }

    private mutating func play(_ playback: LinkPlayback) -> [Action] {
        guard video != nil else { return [] }
        switch playback {
        case .started: return [.announce(VideoPlaybackEvent(type: .started, errorType: nil))]
        case .ended: return endVideo(.ended)
        case .stopped: return endVideo(.stopped)
        case .urlInvalid: return failVideo(.urlInvalid)
        case .alreadyPlaying: return failVideo(.alreadyPlaying)
        case .failed: return failVideo(.playbackFailed)
        }
    }

    private mutating func endVideo(_ type: VideoPlaybackEventType) -> [Action] {
        guard video != nil else { return [] }
        video = nil
        return [.announce(VideoPlaybackEvent(type: type, errorType: nil))] + finishVideoStops()
    }

    private mutating func failVideo(_ type: VideoErrorType) -> [Action] {
        guard let request = video else { return [] }
        video = nil
        return [
            .failVideo(request, .playbackFailed(type)),
            .announce(VideoPlaybackEvent(type: .error, errorType: type)),
        ] + finishVideoStops()
    }

    private mutating func rejectVideo(_ request: LinkRequest) -> [Action] {
        guard video == request else { return [] }
        video = nil
        return [
            .failVideo(request, .streamRejected),
            .announce(VideoPlaybackEvent(type: .error, errorType: .unknown)),
        ] + finishVideoStops()
    }

    private mutating func finishVideoStops() -> [Action] {
        defer { videoStops = [] }
        return videoStops.flatMap { [.stopTimer(.videoStop($0)), .finish($0, nil)] }
    }
}

extension DisplayError {
    /// The documented case that says most of `refusal`.
    init(_ refusal: Refusal) {
        switch refusal.check {
        case .notFound: self = .deviceNotFound
        case .link, .power, .hinges, .transport, .endedByDevice: self = .deviceDisconnected
        case .compatibility, .worn, .trust, .permission, .configuration, .companion, .network, .occupied, .thermal,
            .peakPower, .battery, .glassesApp, .sdkVersion, .resources, .media, .timeout:
            self = .displayError(refusal.message)
        }
    }
}
