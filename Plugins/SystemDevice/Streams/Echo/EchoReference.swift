/// Finds for each frame of the microphone the audio whose echo it may hold.
struct EchoReference {
    private let timeline: ReferenceTimeline
    private var estimator = EchoDelayEstimator()
    private var alignment = QueueAlignment()
    /// Where the next frame of the microphone begins.
    private var next: Int64?
    private var delay = EchoDelay()
    private var gate = EchoGate()
    /// Whether the frame that was loaded last must not be heard, because its echo cannot be cancelled yet.
    private(set) var keepsBack = false
    private var lastNear: Int16 = 0
    private var lastFar: Int16 = 0

    /// The reference is taken so much earlier than its timestamp, in frames: timestamps of playback may be late by 10 ms,
    /// and an echo that comes before its reference cannot be cancelled. A device holds more than that ahead.
    static let lead = 2

    init(_ timeline: ReferenceTimeline) { self.timeline = timeline }

    /// Puts the reference of the frame `near` into `far`; answers after how many milliseconds its echo is expected.
    mutating func load(
        into far: UnsafeMutablePointer<Int16>, for near: UnsafePointer<Int16>, capturedAt time: Int64
    ) -> Int {
        let (place, deviation) = track(time)
        let newest = place + Int64(Self.lead * frameLength)
        timeline.read(frameLength, from: newest, into: far)
        let farLevel = FrameLevel.of(far, frameLength, after: lastFar)
        let nearLevel = FrameLevel.of(near, frameLength, after: lastNear)
        let found = estimator.note(reference: farLevel, microphone: nearLevel)
        keepsBack = gate.keepsBack(reference: farLevel, microphone: nearLevel, isFound: found != nil)
        lastFar = far[frameLength - 1]
        lastNear = near[frameLength - 1]
        if let found { delay.found(found) }
        if delay.shift > 0 {
            timeline.read(frameLength, from: newest - Int64(delay.shift * frameLength), into: far)
        }
        let late = (timeline.deviation - deviation) * 1_000 / StreamFormat.rate
        return delay.expected * 10 + late
    }

    /// The place of the frame, and by how many samples its timestamp says that it lies later.
    private mutating func track(_ time: Int64) -> (place: Int64, deviation: Int) {
        let measured = ReferenceTimeline.place(of: time)
        let expected = next ?? measured
        let deviation = Int(clamping: measured - expected)
        let move = alignment.note(deviation)
        let place = expected + Int64(move)
        next = place + Int64(frameLength)
        return (place, deviation - move)
    }
}

/// Where the reference is taken, for an echo whose delay is found out while it is heard. In frames of 10 ms. Pure.
struct EchoDelay: Equatable {
    /// How long after its reference the canceller gets an echo. Its filter is 128 ms long: there the path may become 80 ms
    /// shorter at once, or 60 ms longer, and the echo stays within reach.
    static let target = 8
    /// What is left alone: each move makes the filter learn anew.
    static let tolerance = 2

    /// How much later than its timestamps, less the lead, the reference is taken.
    private(set) var shift = 0
    private var path: Int?

    /// The echo was found `frames` after the reference that was not shifted.
    mutating func found(_ frames: Int) {
        path = frames
        let wanted = max(0, frames - Self.target)
        if abs(wanted - shift) > Self.tolerance { shift = wanted }
    }

    /// How long after its reference the echo is expected.
    var expected: Int { max(0, (path ?? EchoReference.lead) - shift) }
}
