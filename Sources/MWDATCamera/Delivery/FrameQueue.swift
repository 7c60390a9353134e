/// The newest pictures that a listener has not taken yet.
///
/// Decoded pictures stand alone: of too many the oldest goes. Coded ones build on those before them: with too many all go, and the
/// queue takes none until one comes that can be decoded alone.
struct FrameQueue<Frame: Sendable>: Sendable {
    /// What adding a picture did.
    struct Outcome: Sendable, Equatable {
        var dropped = 0
        /// Whether a picture that can be decoded alone is needed.
        var needsKeyFrame = false
    }

    private let isCoded: Bool
    private var frames: [Frame] = []
    private var awaitsKeyFrame = false

    /// An eighth of a second of decoded pictures, each 1.4 MB, so that a slow listener is never far behind; a second of coded
    /// ones, each about 50 kB, whose loss costs the link more.
    private var bound: Int { isCoded ? 30 : 4 }

    init(isCoded: Bool) { self.isCoded = isCoded }

    mutating func append(_ frame: Frame, isKeyFrame: Bool) -> Outcome {
        guard isCoded else {
            let dropped = frames.count >= bound ? 1 : 0
            frames.removeFirst(dropped)
            frames.append(frame)
            return Outcome(dropped: dropped)
        }
        if isKeyFrame { awaitsKeyFrame = false }
        guard !awaitsKeyFrame else { return Outcome(dropped: 1, needsKeyFrame: true) }
        guard frames.count >= bound else {
            frames.append(frame)
            return Outcome()
        }
        let dropped = frames.count
        frames = isKeyFrame ? [frame] : []
        awaitsKeyFrame = !isKeyFrame
        return Outcome(dropped: isKeyFrame ? dropped : dropped + 1, needsKeyFrame: !isKeyFrame)
    }

    var isEmpty: Bool { frames.isEmpty }

    mutating func popFirst() -> Frame? { frames.isEmpty ? nil : frames.removeFirst() }

    /// Takes all out; what comes next begins anew.
    mutating func removeAll() { frames = [] }
}
