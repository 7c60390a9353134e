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
        announcements = DispatchQueue(label: "org.extentos.mwdat.stream", qos: .userInitiated)
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

    let states: StatePublisher<StreamState>
    let deliveries: StatePublisher<StreamDelivery>
    let errors: ListenerStore<StreamError>
    let failures: ListenerStore<StreamFailure>
    let photos: ListenerStore<PhotoData>
    let sounds: ListenerStore<AudioFrame>
    let frames: FrameAnnouncer
    private let queue: DispatchQueue

    init(_ environment: StreamEnvironment, isCoded: Bool) {
        let (queue, rule) = (environment.announcements, environment.tokenRule)
        self.queue = queue
        states = StatePublisher("Stream.statePublisher", .stopped, on: queue, rule: rule)
        deliveries = StatePublisher("Stream.deliveryPublisher", .idle, on: queue, rule: rule)
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
        states.publish(state)
        if isStreaming { queue.async { [frames] in frames.release() } }
    }

    func publish(_ failure: StreamFailure) {
        failures.announce(failure)
        errors.announce(failure.error)
    }

    /// The stream will not run any more. Errors are told all the same: of a start that cannot be.
    func finish() {
        states.finish()
        deliveries.finish()
    }
}
