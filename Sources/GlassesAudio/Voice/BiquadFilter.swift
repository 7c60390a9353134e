import Foundation

/// A second-order Butterworth filter (RBJ cookbook, transposed direct form II); allocates nothing.
struct BiquadFilter: Sendable, Hashable {
    private let b0: Double
    private let b1: Double
    private let b2: Double
    private let a1: Double
    private let a2: Double
    private var z1 = 0.0
    private var z2 = 0.0

    enum Kind { case highPass, lowPass }

    /// A filter whose −3 dB point lies at `cutoff` Hz, below half of `sampleRate`.
    init(_ kind: Kind, cutoff: Double, sampleRate: Int) {
        let omega = 2 * Double.pi * cutoff / Double(sampleRate)
        let alpha = sin(omega) / 2.0.squareRoot()
        let a0 = 1 + alpha
        let edge =
            switch kind {
            case .highPass: 1 + cos(omega)
            case .lowPass: 1 - cos(omega)
            }
        b0 = edge / 2 / a0
        b1 = (kind == .highPass ? -edge : edge) / a0
        b2 = b0
        a1 = -2 * cos(omega) / a0
        a2 = (1 - alpha) / a0
    }

    mutating func process(_ input: Double) -> Double {
        let output = b0 * input + z1
        z1 = b1 * input - a1 * output + z2
        z2 = b2 * input - a2 * output
        return output
    }
}
