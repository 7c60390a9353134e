import Glibc

/// Test signals and what is read from recordings.
public enum Signal {
    /// A sine of `hertz` at 48 kHz.
    public static func sine(_ hertz: Double, frames: Int, amplitude: Double = 12_000) -> [Int16] {
        (0..<frames).map { Int16(amplitude * sin(2 * .pi * hertz * Double($0) / 48_000)) }
    }

    /// A constant level: every frame of it is recognised in a recording.
    public static func level(_ value: Int16, frames: Int) -> [Int16] { [Int16](repeating: value, count: frames) }

    /// The frequency of a sine in hertz, 0 for none: from the distances between its upward zero crossings. Distances that
    /// are 20 % off their median, as a gap makes them, do not count.
    public static func pitch(_ samples: [Int16], rate: Double = 48_000) -> Double {
        let crossings = zip(samples, samples.dropFirst()).enumerated().filter { $0.element.0 < 0 && $0.element.1 >= 0 }
        let distances = zip(crossings, crossings.dropFirst()).map { $1.offset - $0.offset }
        guard !distances.isEmpty else { return 0 }
        let median = Double(distances.sorted()[distances.count / 2])
        let whole = distances.filter { abs(Double($0) - median) <= 0.2 * median }
        return Double(whole.count) * rate / Double(whole.reduce(0, +))
    }

    /// The share of the power of `samples` that lies at `hertz`, from 0 to 1.
    public static func purity(_ samples: [Int16], at hertz: Double, rate: Double = 48_000) -> Double {
        var real = 0.0
        var imaginary = 0.0
        var power = 0.0
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * hertz * Double(index) / rate
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
            power += Double(sample) * Double(sample)
        }
        guard power > 0 else { return 0 }
        return 2 * (real * real + imaginary * imaginary) / Double(samples.count) / power
    }

    /// The runs of frames at least as loud as `threshold`; gaps of up to `gap` frames belong to a run.
    public static func loudRuns(_ samples: [Int16], threshold: Int16 = 2_000, gap: Int = 48) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (index, sample) in samples.enumerated() where sample >= threshold || sample <= -threshold {
            if let last = runs.last, index - last.upperBound <= gap {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }
}
