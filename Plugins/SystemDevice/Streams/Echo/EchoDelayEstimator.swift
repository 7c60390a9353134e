import Glibc

/// Finds how long after its reference an echo is heard, from the rise and fall of both. Pure.
///
/// The library's own estimator needs some 15 s of speech for a path longer than its filter, or one that became shorter;
/// this one needs little more than a second, so that the reference can be moved before the echo is taken for a person. The
/// levels of 10 ms frames are compared over one second at every delay up to half a second. A person who speaks lowers the
/// likeness, and then there is no answer.
struct EchoDelayEstimator {
    /// Frames compared.
    static let window = 100
    /// Delays looked at, in frames: 0 up to this.
    static let delayLimit = 50
    /// Frames from one comparison to the next.
    private static let interval = 10
    /// The correlation from which two courses of levels are alike…
    private static let likeness: Float = 0.65
    /// …and how much less the best of the other delays must have, those within ``peakWidth`` left out.
    private static let lead: Float = 0.15
    private static let peakWidth = 8
    /// The least spread of levels, in decades, that makes a comparison worth while: speech has more, noise less.
    private static let leastSpread: Float = 0.3
    /// Silent frames of the reference up to which the rest is compared: where an end or a beginning is all there is, whatever
    /// a person says meanwhile ends or begins somewhere else.
    private static let silenceLimit = 30
    /// Comparisons in a row that have to agree, give or take a frame.
    private static let certainty = 4

    private var reference = [Float](repeating: FrameLevel.silence, count: window + delayLimit)
    private var microphone = [Float](repeating: FrameLevel.silence, count: window)
    private var untilComparison = interval
    private var found: [Int] = []

    /// Takes the ``FrameLevel``s of the next 10 ms; answers the delay in frames when it is certain.
    mutating func note(reference far: Float, microphone near: Float) -> Int? {
        reference.removeFirst()
        reference.append(far)
        microphone.removeFirst()
        microphone.append(near)
        untilComparison -= 1
        guard untilComparison == 0 else { return nil }
        untilComparison = Self.interval
        guard let delay = bestDelay() else {
            found.removeAll(keepingCapacity: true)
            return nil
        }
        found.append(delay)
        if found.count > Self.certainty { found.removeFirst() }
        let sorted = found.sorted()
        guard found.count == Self.certainty, sorted[Self.certainty - 1] - sorted[0] <= 1 else { return nil }
        return sorted[Self.certainty / 2]
    }

    private func bestDelay() -> Int? {
        guard let near = Self.centred(microphone[...]) else { return nil }
        var likenesses: [Float] = []
        likenesses.reserveCapacity(Self.delayLimit)
        for delay in 0..<Self.delayLimit {
            let start = Self.delayLimit - delay
            guard let far = Self.centred(reference[start..<start + Self.window]) else {
                likenesses.append(0)
                continue
            }
            var sum: Float = 0
            for index in 0..<Self.window { sum += near.values[index] * far.values[index] }
            likenesses.append(sum / (near.norm * far.norm))
        }
        guard let best = likenesses.indices.max(by: { likenesses[$0] < likenesses[$1] }) else { return nil }
        let others = likenesses.indices.filter { abs($0 - best) > Self.peakWidth }.map { likenesses[$0] }
        let isClear = likenesses[best] >= Self.likeness && likenesses[best] - (others.max() ?? 0) >= Self.lead
        return isClear && silentFrames(at: best) <= Self.silenceLimit ? best : nil
    }

    private func silentFrames(at delay: Int) -> Int {
        let start = Self.delayLimit - delay
        return reference[start..<start + Self.window].count { $0 < FrameLevel.sound }
    }

    /// `levels` less their mean; nil when they hardly change.
    private static func centred(_ levels: ArraySlice<Float>) -> (values: [Float], norm: Float)? {
        let mean = levels.reduce(0, +) / Float(levels.count)
        let values = levels.map { $0 - mean }
        let norm = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return norm >= leastSpread * Float(levels.count).squareRoot() ? (values, norm) : nil
    }
}

/// How loud a frame is, in decades of power, with its high frequencies raised as speech needs it.
enum FrameLevel {
    /// Power below this is silence: the noise of a quiet microphone.
    private static let floor: Float = 10
    /// The level of silence.
    static let silence: Float = 1
    /// The level from which something is played.
    static let sound: Float = 2.5

    /// The level of `count` samples that follow the sample `previous`.
    static func of(_ samples: UnsafePointer<Int16>, _ count: Int, after previous: Int16) -> Float {
        var power: Float = 0
        var last = Float(previous)
        for index in 0..<count {
            let sample = Float(samples[index])
            power += (sample - last) * (sample - last)
            last = sample
        }
        return log10f(power / Float(max(count, 1)) + floor)
    }
}
