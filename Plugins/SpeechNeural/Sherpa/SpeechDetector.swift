import CSherpaOnnx
import GlassesPluginKit

/// The model that tells speech from other sounds, window by window. It remembers what it has heard.
final class SpeechDetector: @unchecked Sendable {
    // because only the thread that made it, and from then on only the engine's thread, calls it
    private let library: SherpaLibrary
    private let detector: OpaquePointer

    /// Frames of one window at 16 kHz, 32 ms; the model takes no other.
    static let windowFrames = 512
    /// How long speech lasts on after the last window that sounds like it, so that soft ends of words count.
    private static let hangoverSeconds: Float = 0.1
    /// The library's shortest speech is less than a window: two windows in a row begin it.
    private static let shortestSeconds: Float = 0.03
    /// The model's own threshold.
    private static let threshold: Float = 0.5
    /// The library gets stricter after so much speech without a pause, which nobody wants here: a day, within its 32 bits.
    private static let longestSeconds: Float = 86_400
    /// What the library keeps of the sound; nobody reads it, and ``isSpeech(_:)`` empties it.
    private static let bufferSeconds: Float = 2

    /// Loads the model, about 60 ms, from the folder of ``EngineFiles/silero``, whose files have been verified.
    init(library: SherpaLibrary, folder: String) throws(PluginFailure) {
        var texts = CTexts()
        var config = SherpaOnnxVadModelConfig()
        config.silero_vad.model = texts.copy("\(folder)/silero_vad.onnx")
        config.silero_vad.threshold = Self.threshold
        config.silero_vad.min_silence_duration = Self.hangoverSeconds
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
    }

    deinit { library.destroyDetector(detector) }

    /// Whether speech lasts at the end of the next window, ``windowFrames`` samples from -1 to 1.
    func isSpeech(_ window: [Float]) -> Bool {
        library.detect(detector, window, Int32(window.count))
        guard library.isDetected(detector) != 0 else { return false }
        // The library collects the speech, and copies all of it with each window: a minute would cost a core.
        library.flushDetector(detector)
        library.clearDetector(detector)
        return true
    }

    /// Forgets what was heard.
    func reset() { library.resetDetector(detector) }
}
