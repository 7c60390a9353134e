import Foundation

/// How loud a stretch of audio is.
public struct AudioLevel: Sendable, Hashable {
    /// The value of ``rmsDBFS`` and ``peakDBFS`` for silence; below the 16-bit quantisation step of −90.3 dBFS.
    public static let silenceDBFS: Float = -100

    /// Root mean square, 0…1; a full-scale sine has 0.707.
    public let rms: Float
    /// Largest magnitude, 0…1.
    public let peak: Float

    /// A level of the given values, 0…1.
    init(rms: Float, peak: Float) {
        self.rms = rms
        self.peak = peak
    }

    /// The level of silence.
    public static let silence = AudioLevel(rms: 0, peak: 0)

    /// ``rms`` in decibels below full scale, at least ``silenceDBFS``.
    public var rmsDBFS: Float { Self.decibels(rms) }
    /// ``peak`` in decibels below full scale, at least ``silenceDBFS``.
    public var peakDBFS: Float { Self.decibels(peak) }

    private static func decibels(_ value: Float) -> Float {
        value > 0 ? max(20 * log10(value), silenceDBFS) : silenceDBFS
    }
}

/// Gathers samples and tells how loud they were; allocates nothing.
public struct LevelMeter: Sendable, Hashable {
    private var squares: Double = 0
    private var largest: Int32 = 0
    private var frames = 0

    /// A meter that has heard nothing yet.
    public init() {}

    /// Adds samples to the stretch being measured.
    public mutating func add(_ samples: Span<Int16>) {
        var sum: Int64 = 0
        for index in samples.indices {
            let value = Int32(samples[index])
            sum += Int64(value * value)
            largest = max(largest, abs(value))
        }
        squares += Double(sum)
        frames += samples.count
    }

    /// The level of everything added since the last call, and begins a new stretch; silence when nothing was added.
    public mutating func take() -> AudioLevel {
        defer { self = LevelMeter() }
        guard frames > 0 else { return .silence }
        let mean = squares / Double(frames)
        return AudioLevel(rms: Float(mean.squareRoot() / 32_768), peak: Float(largest) / 32_768)
    }

    /// The level of `samples` alone.
    public static func level(of samples: [Int16]) -> AudioLevel {
        var meter = LevelMeter()
        meter.add(samples.span)
        return meter.take()
    }
}
