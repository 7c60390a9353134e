/// Plays one sound over a stream and lowers the stream meanwhile, without clicks.
///
/// The stream is mixed in place, block by block; feed it silence while nothing is said, so that the sound is heard alone.
/// ``mix(into:)`` allocates nothing.
public struct DuckingMixer: Sendable, Hashable {
    private struct Overlay: Sendable, Hashable {
        let samples: [Int16]
        var place = 0
        var plays: Int
    }

    /// The stream's gain while a sound plays over it: −14 dB, still audible and no longer competing.
    public static let defaultDuckedGain: Float = 0.2
    /// Gains move between their ends in this time: short enough to feel immediate, long enough not to click.
    private static let rampMs = 30

    private let duckedGain: Float
    /// Steps per frame of the stream's gain and of the sound's.
    private let streamStep: Float
    private let overlayStep: Float
    private var streamGain: Float = 1
    private var overlayGain: Float = 0
    private var overlay: Overlay?
    /// The sound that begins once the one before has faded out.
    private var next: Overlay?
    private var isStopping = false

    /// A mixer for mono streams of `sampleRate` frames per second; `duckedGain` is clamped to 0…1.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` for a rate outside ``SampleRates/supported``.
    public init(sampleRate: Int, duckedGain: Float = Self.defaultDuckedGain) throws(AudioFormatError) {
        try SampleRates.check(sampleRate)
        self.duckedGain = duckedGain.isNaN ? Self.defaultDuckedGain : min(max(duckedGain, 0), 1)
        let rampFrames = Float(sampleRate * Self.rampMs / 1_000)
        streamStep = (1 - self.duckedGain) / rampFrames
        overlayStep = 1 / rampFrames
    }

    /// Whether a sound plays, or fades out.
    public var isPlaying: Bool { overlay != nil }

    /// Whether the stream would be changed: a sound plays, or the stream's gain has not come back yet.
    public var isActive: Bool { isPlaying || streamGain < 1 }

    /// Plays `sound`, mono at the stream's rate, `repeats` times; a sound that is playing fades out first.
    public mutating func play(_ sound: [Int16], repeats: Int = 1) {
        guard !sound.isEmpty, repeats > 0 else { return }
        let new = Overlay(samples: sound, plays: repeats)
        if overlay == nil {
            begin(new)
        } else {
            next = new
            isStopping = true
        }
    }

    /// Fades the sound out; a waiting one is dropped.
    public mutating func stop() {
        next = nil
        isStopping = overlay != nil
    }

    /// Mixes into the next block of the stream.
    public mutating func mix(into stream: inout [Int16]) {
        guard isActive else { return }
        for index in stream.indices {
            let value = Float(stream[index]) * nextStreamGain() + nextOverlayValue()
            stream[index] = Int16(min(max(value.rounded(), -32_768), 32_767))
        }
    }

    private mutating func begin(_ new: Overlay) {
        overlay = new
        overlayGain = 1
        isStopping = false
    }

    private mutating func nextStreamGain() -> Float {
        streamGain =
            overlay == nil ? min(1, streamGain + streamStep) : max(duckedGain, streamGain - streamStep)
        return streamGain
    }

    private mutating func nextOverlayValue() -> Float {
        guard var playing = overlay else { return 0 }
        let value = Float(playing.samples[playing.place]) * overlayGain
        playing.place += 1
        if playing.place == playing.samples.count {
            playing.place = 0
            playing.plays -= 1
        }
        if isStopping { overlayGain = max(0, overlayGain - overlayStep) }
        overlay = playing
        if playing.plays == 0 || overlayGain == 0 { end() }
        return value
    }

    private mutating func end() {
        overlay = nil
        isStopping = false
        if let new = next {
            next = nil
            begin(new)
        }
    }
}
