import CSherpaOnnx
internal import GlassesPluginKit

/// The model that tells speech from other sounds, window by window. It remembers what it has heard.
final class SpeechDetector: @unchecked Sendable {
    // because only the thread that made it, and from then on only the engine's thread, calls it
    private let library: SherpaLibrary
    private let detector: OpaquePointer

    /// Frames of one window at 16 kHz, 32 ms; the model takes no other.
    static let windowFrames = 512
    /// The library takes 0 for its default, half a second.
    private static let leastHangover: Float = 0.001
    /// The shortest speech is less than a window; even so the library wants two windows in a row for a beginning.
    private static let shortestSeconds: Float = 0.03
    /// The model's own threshold.
    private static let threshold: Float = 0.5
    /// The library gets stricter after so much speech without a pause, which nobody wants here: a day, within its 32 bits.
    private static let longestSeconds: Float = 86_400
    /// The model looks back so far before each window; before the first there is silence.
    private static let contextFrames = 64
    /// The library counts frames in 32 bits, which last for 37 hours: after ten minutes the next second of silence, or after a
    /// day any moment, begins the count anew.
    private static let countedWindows = (afterSilence: 18_750, atMost: 2_700_000)
    private static let silentWindows = 31
    /// What the library keeps of the sound; nobody reads it, and ``isSpeech(_:)`` empties it.
    private static let bufferSeconds: Float = 2

    private var windows = 0
    private var silence = 0

    /// Loads the model, about 60 ms, from the folder of ``EngineFiles/silero``, whose files have been verified.
    ///
    /// Speech lasts on for `hangover` seconds after the last window that sounds like it.
    init(library: SherpaLibrary, folder: String, hangover: Float) throws(PluginFailure) {
        var texts = CTexts()
        var config = SherpaOnnxVadModelConfig()
        config.silero_vad.model = texts.copy("\(folder)/silero_vad.onnx")
        config.silero_vad.threshold = Self.threshold
        config.silero_vad.min_silence_duration = max(hangover, Self.leastHangover)
        config.silero_vad.min_speech_duration = Self.shortestSeconds
        config.silero_vad.max_speech_duration = Self.longestSeconds
        config.silero_vad.window_size = Int32(Self.windowFrames)
        config.sample_rate = Int32(MoonshineModel.sampleRate)
        config.num_threads = 1
        config.provider = texts.copy("cpu")
        guard let detector = library.makeDetector(&config, Self.bufferSeconds) else {
            throw .unavailable(
                "model_unreadable", "The voice model in \(folder) cannot be read; \(EngineFiles.remedy).")
        }
        self.library = library
        self.detector = detector
        addContext()
    }

    deinit { library.destroyDetector(detector) }

    /// Whether speech lasts at the end of the next window, ``windowFrames`` samples from -1 to 1.
    func isSpeech(_ window: [Float]) -> Bool {
        library.detect(detector, window, Int32(window.count))
        let isSpeech = library.isDetected(detector) != 0
        // The library collects the speech, and copies all of it with each window: a minute would cost a core.
        if isSpeech { library.flushDetector(detector) }
        library.clearDetector(detector)
        count(isSpeech)
        return isSpeech
    }

    /// Forgets what was heard.
    func reset() {
        library.resetDetector(detector)
        addContext()
        windows = 0
        silence = 0
    }

    private func addContext() {
        library.detect(detector, [Float](repeating: 0, count: Self.contextFrames), Int32(Self.contextFrames))
    }

    private func count(_ isSpeech: Bool) {
        windows += 1
        silence = isSpeech ? 0 : silence + 1
        let isPause = windows >= Self.countedWindows.afterSilence && silence >= Self.silentWindows
        if isPause || windows >= Self.countedWindows.atMost { reset() }
    }
}
