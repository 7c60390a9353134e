import MWDATCore
import Synchronization

/// Drives a stream's machine: its events come in, its actions go out in order, all under one lock that no code of an app or of a
/// link runs under.
final class StreamDriver: Sendable {
    /// How a photo ended.
    typealias PhotoOutcome = Result<PhotoData, Refusal>

    /// What the lock guards.
    struct Record {
        var machine: StreamStateMachine
        var source: (any CameraSource)?
        var timer: (deadline: Uptime, pending: any PendingTimer)?
        /// What the newest picture of this run that can be decoded alone tells of those after it.
        var format: CMFormatDescription?
        var photoWaiters: [LinkRequest: CheckedContinuation<PhotoOutcome, Never>] = [:]
        var statistics = StreamStatistics()
        /// What is told to waiting callers once the lock is free.
        var replies: [@Sendable () -> Void] = []
    }

    /// What has just arrived, for the action that hands it over.
    enum Payload {
        case none
        case picture(LinkFrame, CMFormatDescription?)
        case sound(LinkAudio)
        case photo(LinkPhoto)
    }

    let configuration: StreamConfiguration
    let outlets: StreamOutlets
    private let timekeeper: any Timekeeper
    private let record: Mutex<Record>

    init(_ configuration: StreamConfiguration, _ environment: StreamEnvironment) {
        self.configuration = configuration
        timekeeper = environment.timekeeper
        outlets = StreamOutlets(environment, isCoded: configuration.videoCodec == .hvc1)
        record = Mutex(Record(machine: StreamStateMachine(coding: configuration.videoCodec.onLink)))
    }

    /// Says where sessions come from; once, before the stream can be used.
    func use(_ source: any CameraSource) { record.withLock { $0.source = source } }

    /// The stream cannot be started any more; what belongs to it goes.
    func retire() {
        let source = record.withLock { record in
            defer { record.source = nil }
            return record.source
        }
        outlets.finish()
        // Not under the lock, where its end could call back.
        withExtendedLifetime(source) {}
    }

    var machine: StreamStateMachine { record.withLock { $0.machine } }

    var statistics: StreamStatistics {
        var statistics = record.withLock { $0.statistics }
        statistics.dropped = outlets.frames.dropped
        return statistics
    }

    func start() {
        change { record in
            let run = record.source?.nextIdentifier() ?? 0
            apply(.startRequested(run), to: &record)
        }
    }

    func apply(_ input: StreamStateMachine.Input) { change { _ = apply(input, to: &$0) } }

    /// Applies an input that a source has found in the background, unless the stream has moved on since: `isCurrent` is asked under
    /// the lock under which sources are acquired and released.
    func apply(_ input: StreamStateMachine.Input, if isCurrent: () -> Bool) {
        change { record in
            if isCurrent() { apply(input, to: &record) }
        }
    }

    /// Whether the photo was accepted. Its waiter, if it has one, is told how it ends, at once when it was not.
    @discardableResult
    func capturePhoto(
        _ format: PhotoCaptureFormat, waiter: CheckedContinuation<PhotoOutcome, Never>? = nil
    ) -> Bool {
        change { record in
            let request = record.source?.nextIdentifier() ?? 0
            let isStreaming = record.machine.state == .streaming
            let isAccepted = !apply(.photoRequested(request, format.onLink), to: &record).isEmpty
            guard let waiter else { return isAccepted }
            if isAccepted {
                record.photoWaiters[request] = waiter
            } else {
                let reason = isStreaming ? StreamBounds.photoInFlight : StreamBounds.notStreaming
                record.replies.append { waiter.resume(returning: .failure(reason)) }
            }
            return isAccepted
        }
    }

    /// An event of the session that the stream is in.
    func deliver(_ event: LinkEvent) {
        switch event {
        case .streamStarted(_, let run): apply(.runStarted(run))
        case .streamPaused(_, let run): apply(.runPaused(run))
        case .streamResumed(_, let run): apply(.runResumed(run))
        case .streamEnded(_, let run, let reason): apply(.runEnded(run, reason))
        case .frame(_, let run, let frame): deliver(frame, of: run)
        case .audio(_, let run, let sound):
            guard configuration.audioCodec != nil else { return }
            change { _ = apply(.soundArrived(run, SoundFacts(sound)), .sound(sound), to: &$0) }
        case .photo(_, let request, let photo):
            change { _ = apply(.photoArrived(request, isPicture: photo.isPicture), .photo(photo), to: &$0) }
        case .photoFailed(_, let request, let reason): apply(.photoFailed(request, reason))
        case .available, .unavailable, .registration, .registrationRequested, .devices, .device, .permission,
            .permissionFailed, .navigation, .sessionStarted, .sessionPaused, .sessionResumed, .sessionWarned,
            .sessionEnded, .displayStarted, .displayEnded, .viewShown, .viewFailed, .viewTapped, .playback:
            // A session gives its camera none of these.
            return
        }
    }

    private func deliver(_ frame: LinkFrame, of run: LinkStream) {
        let told = frame.toldFormat
        change { record in
            let format = told ?? record.format
            _ = apply(.pictureArrived(run, PictureFacts(frame, format)), .picture(frame, format), to: &record)
        }
    }

    /// Applies an input and does what follows; what that brings at once is an input, too.
    @discardableResult
    private func apply(
        _ input: StreamStateMachine.Input, _ payload: Payload = .none, to record: inout Record
    ) -> [StreamStateMachine.Action] {
        let actions = record.machine.apply(input, at: timekeeper.now)
        for action in actions {
            if let consequence = perform(action, payload, &record) { apply(consequence, to: &record) }
        }
        return actions
    }

    private func change<R: Sendable>(_ body: (inout Record) -> R) -> R {
        let (result, replies) = record.withLock { record in
            let result = body(&record)
            setTimer(&record)
            defer { record.replies = [] }
            return (result, record.replies)
        }
        for reply in replies { reply() }
        return result
    }

    /// Keeps a timer that is early: with each picture the deadline moves, and a new timer for each would cost more than one that
    /// finds nothing to do.
    private func setTimer(_ record: inout Record) {
        guard let deadline = record.machine.deadline else {
            record.timer?.pending.cancel()
            record.timer = nil
            return
        }
        if let timer = record.timer, timer.deadline <= deadline { return }
        record.timer?.pending.cancel()
        let pending = timekeeper.after(max(.zero, deadline - timekeeper.now)) { [weak self] in
            self?.timePassed(deadline)
        }
        record.timer = (deadline, pending)
    }

    private func timePassed(_ deadline: Uptime) {
        change { record in
            guard record.timer?.deadline == deadline else { return }
            record.timer = nil
            apply(.timePassed, to: &record)
        }
    }
}
