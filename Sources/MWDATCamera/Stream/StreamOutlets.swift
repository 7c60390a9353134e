import Dispatch
import MWDATCore

/// What a stream needs of the toolkit.
struct StreamEnvironment: Sendable {
    /// Carries announcements to the app's listeners.
    let announcements: DispatchQueue
    let timekeeper: any Timekeeper
    let tokenRule: TokenRule

    init(_ hub: WearablesHub) {
        announcements = hub.announcements
        timekeeper = hub.timekeeper
        tokenRule = hub.tokenRule
    }

    /// For a stream that is made before ``Wearables/configure()``.
    init() {
        announcements = DispatchQueue(label: "org.extentos.mwdat.stream")
        timekeeper = SystemTimekeeper.shared
        tokenRule = .ofProcess
    }
}

/// Where a stream tells the app what happens.
final class StreamOutlets: Sendable {
    /// Photos are taken one after the other and are a few megabytes each.
    private static let photoBound = 4
    /// A second of sound in blocks of 20 ms.
    private static let soundBound = 50

    let states: ListenerStore<StreamState>
    let stateStreams = StateStreams(of: StreamState.stopped)
    let deliveries: ListenerStore<StreamDelivery>
    let errors: ListenerStore<StreamError>
    let failures: ListenerStore<StreamFailure>
    let photos: ListenerStore<PhotoData>
    let sounds: ListenerStore<AudioFrame>
    let frames: FrameAnnouncer
    private let queue: DispatchQueue

    init(_ environment: StreamEnvironment, isCoded: Bool) {
        let (queue, rule) = (environment.announcements, environment.tokenRule)
        self.queue = queue
        states = ListenerStore("Stream.statePublisher", on: queue, rule: rule)
        deliveries = ListenerStore("Stream.deliveryPublisher", on: queue, rule: rule)
        errors = ListenerStore("Stream.errorPublisher", on: queue, rule: rule)
        failures = ListenerStore("Stream.failurePublisher", on: queue, rule: rule)
        photos = ListenerStore("Stream.photoDataPublisher", on: queue, bound: Self.photoBound, rule: rule)
        sounds = ListenerStore("Stream.audioFramePublisher", on: queue, bound: Self.soundBound, rule: rule)
        frames = FrameAnnouncer(isCoded: isCoded, rule: rule)
    }

    /// Tells a state; the pictures after `streaming` come after it, and those of before are forgotten with any other.
    func publish(_ state: StreamState) {
        let isStreaming = state == .streaming
        if isStreaming { frames.hold() } else { frames.clear() }
        states.announce(state)
        stateStreams.send(state)
        if isStreaming { queue.async { [frames] in frames.release() } }
    }

    func publish(_ failure: StreamFailure) {
        failures.announce(failure)
        errors.announce(failure.error)
    }

    /// Nothing will happen any more.
    func finish() { stateStreams.finish() }
}
