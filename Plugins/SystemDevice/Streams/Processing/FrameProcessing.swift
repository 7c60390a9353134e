/// Something that processes the microphone in frames of 10 ms. Belongs to the processing thread.
protocol FrameProcessing: AnyObject {
    /// How much later a sound leaves in its frame than it came in, in nanoseconds.
    var latency: Int64 { get }
    /// Processes ``frameLength`` samples in place, whose first one was captured at `time`; false when that failed and the
    /// samples must not be used.
    func process(_ samples: UnsafeMutablePointer<Int16>, capturedAt time: Int64) -> Bool
}

/// Samples in a frame of ``FrameProcessing``: 10 ms at the plugin's rate.
let frameLength = StreamFormat.frames(milliseconds: 10)
