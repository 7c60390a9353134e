import Glibc

/// Takes echo and noise out of the microphone's frames and sets their level. Belongs to the processing thread.
final class MicrophoneProcessor: FrameProcessing {
    let latency: Int64
    private let processor: AudioProcessor?
    private let gain: FixedGain
    private var echo: EchoReference?
    private let far: UnsafeMutablePointer<Int16>

    /// A processor whose echo comes from `reference`; without one nothing is played.
    init(
        _ settings: ProcessingSettings, reference: ReferenceTimeline?
    ) throws(AudioProcessor.Failure) {
        processor = settings.needsLibrary ? try AudioProcessor(settings) : nil
        latency = processor?.latency ?? 0
        gain = FixedGain(decibels: settings.gain)
        echo = settings.cancelsEcho ? reference.map(EchoReference.init) : nil
        far = .allocate(capacity: frameLength)
        far.initialize(repeating: 0, count: frameLength)
    }

    deinit { far.deallocate() }

    func process(_ samples: UnsafeMutablePointer<Int16>, capturedAt time: Int64) -> Bool {
        let delay = echo?.load(into: far, for: samples, capturedAt: time) ?? 0
        if let processor, !processor.process(samples, reference: far, delay: delay) { return false }
        if echo?.keepsBack == true {
            samples.update(repeating: 0, count: frameLength)
        } else {
            gain.apply(to: samples, frameLength)
        }
        return true
    }
}

/// A gain that never wraps around.
struct FixedGain: Equatable {
    private let factor: Float

    /// A gain in dB; 0 leaves samples as they are.
    init(decibels: Int) { factor = powf(10, Float(decibels) / 20) }

    /// Changes `count` samples in place.
    func apply(to samples: UnsafeMutablePointer<Int16>, _ count: Int) {
        guard factor != 1 else { return }
        for index in 0..<count {
            samples[index] = Int16(min(max((Float(samples[index]) * factor).rounded(), -32_768), 32_767))
        }
    }
}
