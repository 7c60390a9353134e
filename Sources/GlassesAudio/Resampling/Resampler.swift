import CSpeexDSP

/// Converts one mono stream from one sample rate to another, without delay and without drift.
///
/// The filter's latency is taken out: output frame `n` belongs to input time `n / outputRate`, and N input frames give
/// exactly `round(N × outputRate / inputRate)` output frames once ``flush()`` was called. How the stream is cut into
/// calls changes nothing. Equal rates pass through.
///
/// Isolation: it owns one C handle and is not `Sendable`; keep it in one isolation domain, or hand it over whole.
public final class Resampler {
    /// Frames per second that go in.
    public let inputRate: Int
    /// Frames per second that come out.
    public let outputRate: Int

    /// Nil when both rates are equal.
    private let state: OpaquePointer?
    private let scratch: UnsafeMutableBufferPointer<Int16>
    /// Frames in and out; whole seconds are taken off both, so that an endless stream keeps an exact position.
    private var consumed: Int64 = 0
    private var produced: Int64 = 0

    /// Frames converted per call of the C library: 85 ms at 48 kHz, and small enough to stay in the cache.
    private static let scratchFrames = 4_096
    private static let silence = [Int16](repeating: 0, count: 512)

    /// A resampler between two rates of ``SampleRates/supported``.
    ///
    /// `quality` is speexdsp's, 0 (fast) to 10 (best) and clamped to that; 7 keeps aliases 80 dB down for speech.
    /// - Throws: ``AudioFormatError/unsupportedSampleRate(_:)`` or ``AudioFormatError/outOfMemory``.
    public init(inputRate: Int, outputRate: Int, quality: Int = 7) throws(AudioFormatError) {
        try SampleRates.check(inputRate)
        try SampleRates.check(outputRate)
        self.inputRate = inputRate
        self.outputRate = outputRate
        if inputRate == outputRate {
            state = nil
        } else {
            let level = Int32(min(max(quality, 0), 10))
            guard let made = speex_resampler_init(1, UInt32(inputRate), UInt32(outputRate), level, nil) else {
                throw .outOfMemory
            }
            speex_resampler_skip_zeros(made)
            state = made
        }
        scratch = .allocate(capacity: Self.scratchFrames)
        scratch.initialize(repeating: 0)
    }

    deinit {
        if let state { speex_resampler_destroy(state) }
        scratch.deallocate()
    }

    /// The most frames that ``process(_:appendingTo:)`` can add for `frames` frames of input; reserve that much and the
    /// call allocates nothing.
    public func maximumOutputFrames(for frames: Int) -> Int {
        (max(frames, 0) * outputRate + inputRate - 1) / inputRate + 1
    }

    /// Converts a piece of the stream.
    public func process(_ samples: [Int16]) -> [Int16] {
        var output = [Int16]()
        output.reserveCapacity(maximumOutputFrames(for: samples.count))
        process(samples.span, appendingTo: &output)
        return output
    }

    /// Converts a piece of the stream, adding the result to `output`; allocates only if `output` has to grow.
    public func process(_ samples: Span<Int16>, appendingTo output: inout [Int16]) {
        samples.withUnsafeBufferPointer { input in
            guard let state else {
                output.append(contentsOf: input)
                return
            }
            var rest = input[...]
            while !rest.isEmpty {
                let (taken, made) = convert(rest, limit: scratch.count, with: state)
                guard taken > 0 || made > 0 else { return }
                rest = rest.dropFirst(taken)
                count(consumed: taken, produced: made)
                output.append(contentsOf: scratch[..<made])
            }
        }
    }

    /// Yields the frames that were still inside the filter, and begins a new stream.
    public func flush() -> [Int16] {
        var output = [Int16]()
        flush(appendingTo: &output)
        return output
    }

    /// Adds the frames that were still inside the filter to `output`, and begins a new stream.
    public func flush(appendingTo output: inout [Int16]) {
        guard let state else { return }
        let target = (consumed * Int64(outputRate) + Int64(inputRate) / 2) / Int64(inputRate)
        Self.silence.withUnsafeBufferPointer { silence in
            while produced < target {
                let limit = Int(min(target - produced, Int64(scratch.count)))
                let (taken, made) = convert(silence[...], limit: limit, with: state)
                guard taken > 0 || made > 0 else { return }
                produced += Int64(made)
                output.append(contentsOf: scratch[..<made])
            }
        }
        reset()
    }

    /// Forgets what is inside the filter and begins a new stream.
    public func reset() {
        consumed = 0
        produced = 0
        guard let state else { return }
        speex_resampler_reset_mem(state)
        speex_resampler_skip_zeros(state)
    }

    /// One call of the library into `scratch`; its only error is a failed allocation, which cannot follow a good init.
    private func convert(
        _ input: Slice<UnsafeBufferPointer<Int16>>, limit: Int, with state: OpaquePointer
    ) -> (taken: Int, made: Int) {
        let piece = UnsafeBufferPointer(rebasing: input.prefix(Self.scratchFrames))
        var taken = UInt32(piece.count)
        var made = UInt32(limit)
        speex_resampler_process_int(state, 0, piece.baseAddress, &taken, scratch.baseAddress, &made)
        return (Int(taken), Int(made))
    }

    private func count(consumed taken: Int, produced made: Int) {
        consumed += Int64(taken)
        produced += Int64(made)
        let seconds = consumed / Int64(inputRate)
        consumed -= seconds * Int64(inputRate)
        produced -= seconds * Int64(outputRate)
    }
}
