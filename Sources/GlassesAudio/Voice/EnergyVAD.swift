import Foundation

/// What ``EnergyVAD`` thinks of one frame.
public struct VADDecision: Sendable, Hashable {
    /// The probability of speech, 0…1.
    public let probability: Float
    /// The level in the speech band, dBFS.
    public let levelDBFS: Float
    /// The noise floor in the speech band, dBFS.
    public let floorDBFS: Float
    /// Whether speech is more likely than not.
    public var isVoiced: Bool { probability >= 0.5 }
}

/// Tells speech from steady sound by how far the level in the speech band rises above an adaptive noise floor.
///
/// The floor is the minimum of the last ``VADTuning/floorWindowMs``; a level that stays the same for
/// ``VADTuning/steadyWindowMs`` becomes the floor at once. ``process(_:)`` allocates nothing.
public struct EnergyVAD: Sendable, Hashable {
    /// The frame lengths that it works with, in milliseconds.
    public static let supportedFrameMs = 10...40

    /// Frames per second of the input.
    public let sampleRate: Int
    /// Samples of one full frame.
    public let frameLength: Int
    private let tuning: VADTuning
    private var highPass: BiquadFilter
    private var lowPass: BiquadFilter
    private var history: LevelHistory

    /// A detector for mono audio.
    ///
    /// - Parameters:
    ///   - sampleRate: within ``SampleRates/supported``.
    ///   - frameMs: the length of the frames that will be given, within ``supportedFrameMs``.
    ///   - tuning: the thresholds.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` or ``AudioFormatError/unsupportedFrameLength(milliseconds:)``.
    public init(sampleRate: Int, frameMs: Int = 20, tuning: VADTuning = .standard) throws(AudioFormatError) {
        try SampleRates.check(sampleRate)
        guard Self.supportedFrameMs.contains(frameMs) else { throw .unsupportedFrameLength(milliseconds: frameMs) }
        self.sampleRate = sampleRate
        self.tuning = tuning
        frameLength = sampleRate * frameMs / 1_000
        highPass = BiquadFilter(.highPass, cutoff: tuning.highPassHz, sampleRate: sampleRate)
        // Above 0.45 of the rate the filter would fold over.
        let lowPassHz = min(tuning.lowPassHz, 0.45 * Double(sampleRate))
        lowPass = BiquadFilter(.lowPass, cutoff: lowPassHz, sampleRate: sampleRate)
        history = LevelHistory(
            capacity: tuning.floorWindowMs / frameMs, steadyCount: tuning.steadyWindowMs / frameMs,
            steadyRange: tuning.steadyRangeDB)
    }

    /// Judges the next frame of the stream; an empty frame is silence.
    public mutating func process(_ frame: Span<Int16>) -> VADDecision {
        let level = max(bandLevel(of: frame), tuning.lowestFloorDBFS)
        history.add(level)
        let floor = noiseFloor()
        let odds = (level - floor - tuning.speechAboveFloorDB) / tuning.slopeDB
        return VADDecision(probability: 1 / (1 + exp(-odds)), levelDBFS: level, floorDBFS: floor)
    }

    private mutating func bandLevel(of frame: Span<Int16>) -> Float {
        guard !frame.isEmpty else { return tuning.lowestFloorDBFS }
        var energy = 0.0
        for index in frame.indices {
            let value = lowPass.process(highPass.process(Double(frame[index]) / 32_768))
            energy += value * value
        }
        // 1e-12 (−120 dBFS) keeps the logarithm of silence finite.
        return Float(10 * log10(energy / Double(frame.count) + 1e-12))
    }

    private func noiseFloor() -> Float {
        var floor = history.minimum + tuning.floorBiasDB
        if !history.isFull { floor = min(floor, tuning.highestInitialFloorDBFS) }
        if let steady = history.steadyLevel { floor = max(floor, steady) }
        return max(floor, tuning.lowestFloorDBFS)
    }
}

/// The levels of the last frames, in a ring of fixed size.
struct LevelHistory: Sendable, Hashable {
    private var levels: [Float] = []
    private var next = 0
    private let capacity: Int
    private let steadyCount: Int
    private let steadyRange: Float
    /// The mean of the last levels while they hardly change.
    private(set) var steadyLevel: Float?

    init(capacity: Int, steadyCount: Int, steadyRange: Float) {
        self.steadyCount = max(steadyCount, 2)
        self.capacity = max(capacity, self.steadyCount)
        self.steadyRange = steadyRange
        levels.reserveCapacity(self.capacity)
    }

    var isFull: Bool { levels.count == capacity }
    var minimum: Float { levels.min() ?? 0 }

    mutating func add(_ level: Float) {
        if isFull { levels[next] = level } else { levels.append(level) }
        next = (next + 1) % capacity
        steadyLevel = recentSteadyLevel()
        // What was before the steady sound says nothing about the noise that speech will have to rise above.
        if let steadyLevel { for index in levels.indices { levels[index] = steadyLevel } }
    }

    private func recentSteadyLevel() -> Float? {
        guard levels.count >= steadyCount else { return nil }
        var (low, high, sum) = (Float.infinity, -Float.infinity, Float(0))
        for back in 1...steadyCount {
            let level = levels[(next - back + capacity) % capacity]
            low = min(low, level)
            high = max(high, level)
            sum += level
        }
        return high - low <= steadyRange ? sum / Float(steadyCount) : nil
    }
}
