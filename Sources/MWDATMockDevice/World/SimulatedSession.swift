import Foundation
import GlassesDomain
import MWDATCore

/// A session that the simulated glasses accepted.
struct SimulatedSession: Sendable, Equatable {
    /// Why it does not run.
    enum Pause: Sendable, Equatable {
        case tapped
        case doffed
    }

    let device: DeviceIdentifier
    var pause: Pause?
    var stream: SimulatedStream?
    /// The photo that is being taken.
    var photo: LinkRequest?
    var display: SimulatedDisplay?
}

/// A stream that runs.
struct SimulatedStream: Sendable, Equatable {
    let number: LinkStream
    let request: LinkStreamRequest
    /// Whether the app is in the background.
    var isHeld = false
    /// Whether a picture that can be decoded alone was lost.
    var lacksKeyFrame = false
    /// Until when the microphone's sound was sent, in nanoseconds since the stream began.
    var soundEnd: UInt64 = 0
    var ladder: BandwidthLadder
    var queue = FrameQueue()
}

/// The display of a session.
struct SimulatedDisplay: Sendable, Equatable {
    /// The shown view as UTF-8 JSON; nil for nothing.
    var tree: Data?
    var isPlaying = false
}
