import MWDATCore

/// The life of a stream, without any glasses, clock or thread: rows T1 to T15 of the inventory.
///
/// A stream begins with a start and ends in `stopped`, and can be started again. Each time on the link is a run with an identifier
/// of its own, so that what an earlier run still sends is nobody's. `streaming` begins with a picture, after a pause, too. While it is
/// expected, a watch looks for pictures: one that stays away is told, then asked for, then the run ends.
struct StreamStateMachine: Sendable {
    /// What happened.
    enum Input: Sendable, Equatable {
        /// The app started the stream; the identifier is for the run that this may become.
        case startRequested(LinkStream)
        case stopRequested
        /// A camera of a started session is there for the stream.
        case cameraReady(DeviceIdentifier, isSessionPaused: Bool = false, isAppHidden: Bool = false)
        /// There is none yet.
        case cameraAwaited(Refusal)
        /// There will be none.
        case cameraRefused(Refusal)
        /// The session or its camera ends; nil when the app asked for it.
        case sessionEnded(Refusal?)
        case sessionPaused
        case sessionResumed
        case appHidden
        case appShown
        case runStarted(LinkStream)
        case runPaused(LinkStream)
        case runResumed(LinkStream)
        case runEnded(LinkStream, Refusal?)
        case pictureArrived(LinkStream, PictureFacts)
        /// A listener was too slow for coded pictures, and what it gets next has to be one that can be decoded alone.
        case pictureMissed
        case soundArrived(LinkStream, SoundFacts)
        case photoRequested(LinkRequest, LinkPhotoFormat)
        case photoArrived(LinkRequest, isPicture: Bool)
        case photoFailed(LinkRequest, Refusal)
        case timePassed
    }

    /// What has to be done, in this order.
    enum Action: Sendable, Equatable {
        case publishState(StreamState)
        case publishDelivery(StreamDelivery)
        case publishFailure(StreamFailure)
        /// Get a started session with a camera; answered by one of the camera's inputs.
        case acquireCamera
        /// Give it back, or give up getting one.
        case releaseCamera
        case startRun(LinkStream)
        case stopRun(LinkStream)
        case holdRun(LinkStream, Bool)
        case requestKeyFrame(LinkStream)
        case capturePhoto(LinkRequest, LinkPhotoFormat)
        /// Hand the picture over that has just arrived; nanoseconds on the stream's time line.
        case deliverPicture(time: Int64)
        /// The picture that has just arrived is not handed over.
        case discardPicture(PictureFault)
        case deliverSound(time: Int64)
        case deliverPhoto(LinkRequest)
        case failPhoto(LinkRequest, Refusal)
    }

    /// Who holds the stream.
    private enum Pause { case run, app }

    private struct Photo: Sendable {
        var request: LinkRequest
        var deadline: Uptime
    }

    private let coding: LinkCoding
    private(set) var state = StreamState.stopped
    private(set) var delivery = StreamDelivery.idle
    /// Why the stream waits for glasses; nil when it does not.
    private(set) var waitReason: Refusal?
    /// Why the stream ended; nil while it runs, and when the app ended it.
    private(set) var endReason: Refusal?
    private var device: DeviceIdentifier = ""
    private var run: LinkStream?
    /// A start that came while the last run was ending.
    private var nextRun: LinkStream?
    /// A run whose end was never confirmed: the glasses may still have their camera on.
    private var unconfirmedRun: LinkStream?
    private var pauses: Set<Pause> = []
    private var isSessionPaused = false
    private var isAppHidden = false
    /// Whether a camera is there while the stream waits.
    private var isCameraReady = false
    private var startDeadline: Uptime?
    private var stopDeadline: Uptime?
    private var watch = PictureWatch()
    private var timeline = PictureTimeline()
    private var photo: Photo?
    private var hasFailedSound = false

    /// A stopped stream whose pictures are to arrive in `coding`.
    init(coding: LinkCoding) { self.coding = coding }

    /// When ``Input/timePassed`` is due; nil when nothing waits for time.
    var deadline: Uptime? {
        [startDeadline, stopDeadline, photo?.deadline, isWatching ? watch.deadline : nil].compactMap(\.self).min()
    }

    /// Whether pictures are expected: none is while a photo is taken.
    private var isWatching: Bool {
        photo == nil && isRunning && !isHeld && state != .starting
    }

    mutating func apply(_ input: Input, at now: Uptime) -> [Action] {
        switch input {
        case .startRequested(let run): startRequested(run)
        case .stopRequested: stopRequested(at: now)
        case .cameraReady(let device, let isSessionPaused, let isAppHidden):
            cameraReady(device, isSessionPaused, isAppHidden, at: now)
        case .cameraAwaited(let reason): cameraAwaited(reason)
        case .cameraRefused(let reason): state == .waitingForDevice ? end(because: reason) : []
        case .sessionEnded(let reason): sessionEnded(reason, at: now)
        case .sessionPaused: sessionPaused()
        case .sessionResumed: sessionResumed(at: now)
        case .appHidden: appHidden()
        case .appShown: appShown(at: now)
        case .runStarted: []
        case .runPaused(let run): run == self.run ? pause(.run) : []
        case .runResumed(let run): run == self.run ? resume(.run, at: now) : []
        case .runEnded(let run, let reason): runEnded(run, reason)
        case .pictureArrived(let run, let facts): run == self.run ? pictureArrived(facts, at: now) : []
        case .pictureMissed: watch.mayAskForKeyFrame(at: now) ? keyFrameRequest : []
        case .soundArrived(let run, let facts): run == self.run ? soundArrived(facts, at: now) : []
        case .photoRequested(let request, let format): photoRequested(request, format, at: now)
        case .photoArrived(let request, let isPicture): photoArrived(request, isPicture: isPicture, at: now)
        case .photoFailed(let request, let reason):
            photo?.request == request ? photoEnded(because: reason, at: now) : []
        case .timePassed: timePassed(at: now)
        }
    }
}

// MARK: - Starting

extension StreamStateMachine {
    private mutating func startRequested(_ run: LinkStream) -> [Action] {
        switch state {
        case .stopped: return begin(run)
        case .stopping:
            nextRun = run
            return []
        case .waitingForDevice, .starting, .streaming, .paused: return []
        }
    }

    private mutating func begin(_ run: LinkStream) -> [Action] {
        self.run = run
        endReason = nil
        hasFailedSound = false
        return [enter(.waitingForDevice), .acquireCamera]
    }

    private mutating func cameraReady(
        _ device: DeviceIdentifier, _ isSessionPaused: Bool, _ isAppHidden: Bool, at now: Uptime
    ) -> [Action] {
        guard state == .waitingForDevice else { return [] }
        self.device = device
        self.isSessionPaused = isSessionPaused
        self.isAppHidden = isAppHidden
        isCameraReady = true
        guard !isSessionPaused else { return cameraAwaited(StreamBounds.pausedSession) }
        return start(at: now)
    }

    private mutating func start(at now: Uptime) -> [Action] {
        guard let run else { return [] }
        waitReason = nil
        pauses = []
        timeline.begin()
        startDeadline = now + StreamBounds.start
        var actions = [enter(.starting)]
        // The glasses free their camera before they are asked for it again.
        if let unconfirmedRun { actions.append(.stopRun(unconfirmedRun)) }
        unconfirmedRun = nil
        actions.append(.startRun(run))
        return actions + (isAppHidden ? appHidden() : [])
    }

    private mutating func cameraAwaited(_ reason: Refusal) -> [Action] {
        if state == .waitingForDevice { waitReason = reason }
        return []
    }
}

// MARK: - Pausing

extension StreamStateMachine {
    private mutating func appHidden() -> [Action] {
        isAppHidden = true
        guard coding == .i420, isRunning, let run else { return [] }
        return [.holdRun(run, true)] + pause(.app)
    }

    private mutating func appShown(at now: Uptime) -> [Action] {
        isAppHidden = false
        guard pauses.contains(.app), let run else { return [] }
        return [.holdRun(run, false)] + resume(.app, at: now)
    }

    private mutating func sessionPaused() -> [Action] {
        isSessionPaused = true
        return enterPause()
    }

    private mutating func sessionResumed(at now: Uptime) -> [Action] {
        guard isSessionPaused else { return [] }
        isSessionPaused = false
        if state == .waitingForDevice { return isCameraReady ? start(at: now) : [] }
        return leavePause(at: now)
    }

    private mutating func pause(_ pause: Pause) -> [Action] {
        guard isRunning else { return [] }
        pauses.insert(pause)
        return enterPause()
    }

    private mutating func resume(_ pause: Pause, at now: Uptime) -> [Action] {
        pauses.remove(pause) == nil ? [] : leavePause(at: now)
    }

    private mutating func enterPause() -> [Action] {
        guard isRunning, state != .paused else { return [] }
        startDeadline = nil
        return setDelivery(.idle) + [enter(.paused)]
    }

    /// The next picture makes the stream `streaming` again; the watch looks for it.
    private mutating func leavePause(at now: Uptime) -> [Action] {
        if state == .paused, !isHeld { watch.begin(at: now) }
        return []
    }

    /// Whether the glasses have been asked for pictures and not yet to stop.
    private var isRunning: Bool { state == .starting || state == .streaming || state == .paused }

    private var isHeld: Bool { isSessionPaused || !pauses.isEmpty }
}

// MARK: - Pictures and sound

extension StreamStateMachine {
    private mutating func pictureArrived(_ facts: PictureFacts, at now: Uptime) -> [Action] {
        guard isRunning, !isHeld else { return [] }
        if let fault = timeline.fault(of: facts, coding: coding) {
            let asks = fault == .undecodable && watch.mayAskForKeyFrame(at: now)
            return [.discardPicture(fault)] + (asks ? keyFrameRequest : [])
        }
        watch.begin(at: now)
        startDeadline = nil
        var actions: [Action] = []
        if state != .streaming { actions.append(enter(.streaming)) }
        actions += setDelivery(.flowing)
        actions.append(.deliverPicture(time: timeline.time(of: facts, at: now)))
        return actions
    }

    private mutating func soundArrived(_ facts: SoundFacts, at now: Uptime) -> [Action] {
        guard state == .streaming else { return [] }
        if facts.isUsable { return [.deliverSound(time: timeline.soundTime(facts.time))] }
        guard !hasFailedSound else { return [] }
        hasFailedSound = true
        let reason = Refusal(
            .media, "The glasses sent sound that is none. The pictures go on; start again for the sound.",
            isRetryable: true)
        return [.publishFailure(StreamFailure(.audioStreamingError, because: reason))]
    }

    private var keyFrameRequest: [Action] { run.map { [.requestKeyFrame($0)] } ?? [] }
}

// MARK: - Photos

extension StreamStateMachine {
    private mutating func photoRequested(
        _ request: LinkRequest, _ format: LinkPhotoFormat, at now: Uptime
    ) -> [Action] {
        guard state == .streaming, photo == nil else { return [] }
        photo = Photo(request: request, deadline: now + StreamBounds.photo)
        return [.capturePhoto(request, format)]
    }

    private mutating func photoArrived(_ request: LinkRequest, isPicture: Bool, at now: Uptime) -> [Action] {
        guard photo?.request == request else { return [] }
        guard isPicture else {
            let reason = Refusal(
                .media, "The glasses sent a photo without a picture. Take it again.", isRetryable: true)
            return photoEnded(because: reason, at: now)
        }
        photo = nil
        watch.begin(at: now)
        return [.deliverPhoto(request)]
    }

    private mutating func photoEnded(because reason: Refusal, at now: Uptime) -> [Action] {
        watch.begin(at: now)
        return failPhoto(because: reason)
    }

    private mutating func failPhoto(because reason: Refusal) -> [Action] {
        guard let photo else { return [] }
        self.photo = nil
        return [
            .failPhoto(photo.request, reason), .publishFailure(StreamFailure(.photoCaptureFailed, because: reason)),
        ]
    }
}

// MARK: - Time

extension StreamStateMachine {
    private mutating func timePassed(at now: Uptime) -> [Action] {
        var actions: [Action] = []
        if let photo, photo.deadline <= now { actions += photoEnded(because: StreamBounds.latePhoto, at: now) }
        if let startDeadline, startDeadline <= now { actions += stop(because: StreamBounds.lateStart, at: now) }
        if let stopDeadline, stopDeadline <= now {
            unconfirmedRun = run
            actions += finish()
        }
        if isWatching { actions += look(at: now) }
        return actions
    }

    private mutating func look(at now: Uptime) -> [Action] {
        switch watch.look(at: now) {
        case .fine: return []
        case .stalled: return setDelivery(.stalled) + keyFrameRequest
        case .starved: return stop(because: StreamBounds.starved, at: now)
        }
    }
}

// MARK: - Ending

extension StreamStateMachine {
    private mutating func stopRequested(at now: Uptime) -> [Action] {
        switch state {
        case .stopped: return []
        case .stopping:
            nextRun = nil
            return []
        case .waitingForDevice: return [enter(.stopping)] + finish()
        case .starting, .streaming, .paused: return stop(within: StreamBounds.stop, at: now)
        }
    }

    private mutating func sessionEnded(_ reason: Refusal?, at now: Uptime) -> [Action] {
        nextRun = nil
        guard let reason else {
            guard state != .stopping else {
                stopDeadline = stopDeadline.map { min($0, now + StreamBounds.cascade) }
                return []
            }
            return isRunning ? stop(within: StreamBounds.cascade, at: now) : stopRequested(at: now)
        }
        switch state {
        case .stopped: return []
        case .stopping: return finish()
        case .waitingForDevice, .starting, .streaming, .paused: return end(because: reason, isSession: true)
        }
    }

    private mutating func runEnded(_ run: LinkStream, _ reason: Refusal?) -> [Action] {
        if run == unconfirmedRun { unconfirmedRun = nil }
        guard run == self.run else { return [] }
        switch state {
        case .stopped, .waitingForDevice: return []
        case .stopping: return finish()
        case .starting, .streaming, .paused: return end(because: reason ?? StreamBounds.endedByGlasses)
        }
    }

    /// Ends a stream that the other end has ended already. What the wearer does to a session is no error of the stream.
    private mutating func end(because reason: Refusal, isSession: Bool = false) -> [Action] {
        endReason = reason
        var actions = failPhoto(because: reason)
        if !(isSession && reason.check == .endedByDevice) {
            actions.append(.publishFailure(StreamFailure(StreamError(reason, device: device), because: reason)))
        }
        actions += setDelivery(.idle)
        actions.append(enter(.stopping))
        return actions + finish()
    }

    /// Ends a run with an error that this machine has found.
    private mutating func stop(because reason: Refusal, at now: Uptime) -> [Action] {
        endReason = reason
        let failure = StreamFailure(StreamError(reason, device: device), because: reason)
        return [.publishFailure(failure)] + stop(within: StreamBounds.stop, at: now)
    }

    /// Asks the glasses to stop.
    private mutating func stop(within bound: Duration, at now: Uptime) -> [Action] {
        guard let run else { return [] }
        stopDeadline = now + bound
        startDeadline = nil
        var actions = failPhoto(because: StreamBounds.photoCutOff) + setDelivery(.idle)
        actions += [enter(.stopping), .stopRun(run)]
        return actions
    }

    private mutating func finish() -> [Action] {
        (run, startDeadline, stopDeadline, waitReason) = (nil, nil, nil, nil)
        pauses = []
        isCameraReady = false
        // Whoever hears that the stream has stopped can add another one.
        let actions: [Action] = [.releaseCamera, enter(.stopped)]
        guard let next = nextRun else { return actions }
        nextRun = nil
        return actions + begin(next)
    }

    private mutating func enter(_ state: StreamState) -> Action {
        self.state = state
        return .publishState(state)
    }

    private mutating func setDelivery(_ delivery: StreamDelivery) -> [Action] {
        guard delivery != self.delivery else { return [] }
        self.delivery = delivery
        return [.publishDelivery(delivery)]
    }
}
