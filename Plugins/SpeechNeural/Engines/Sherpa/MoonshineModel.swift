import CSherpaOnnx
internal import GlassesPluginKit

/// The model of speech recognition, about 140 MB. It takes a piece of speech as a whole and gives its text.
final class MoonshineModel: @unchecked Sendable {
    // because only the thread that made it, and from then on only the engine's thread, calls it
    private let library: SherpaLibrary
    private let recognizer: OpaquePointer

    static let sampleRate = 16_000
    /// Silence before and after a piece, half a second: without it one word of four of a synthetic voice was wrong.
    private static let padding = sampleRate / 2

    /// Loads the model, about 0.3 s, from the folder of ``EngineFiles/moonshine``, whose files have been verified.
    init(library: SherpaLibrary, folder: String) throws(PluginFailure) {
        var texts = CTexts()
        var config = SherpaOnnxOfflineRecognizerConfig()
        config.feat_config.sample_rate = Int32(Self.sampleRate)
        config.model_config.moonshine.encoder = texts.copy("\(folder)/encoder_model.ort")
        config.model_config.moonshine.merged_decoder = texts.copy("\(folder)/decoder_model_merged.ort")
        config.model_config.tokens = texts.copy("\(folder)/tokens.txt")
        // More threads are slower, and much slower on a busy machine.
        config.model_config.num_threads = 1
        config.model_config.provider = texts.copy("cpu")
        config.decoding_method = texts.copy("greedy_search")
        guard let recognizer = library.makeRecognizer(&config) else {
            throw .unavailable(
                "model_unreadable", "The speech model in \(folder) cannot be read; \(EngineFiles.remedy).")
        }
        self.library = library
        self.recognizer = recognizer
    }

    deinit { library.destroyRecognizer(recognizer) }

    /// The text of a piece of speech at ``sampleRate``, as the model writes it. Takes about 2 % of the speech's length.
    func text(of speech: [Float]) throws(PluginFailure) -> String {
        guard let stream = library.makeStream(recognizer) else { throw .recognizerFailed }
        defer { library.destroyStream(stream) }
        let silence = [Float](repeating: 0, count: Self.padding)
        let padded = silence + speech + silence
        library.accept(stream, Int32(Self.sampleRate), padded, Int32(padded.count))
        library.decode(recognizer, stream)
        guard let result = library.result(stream) else { throw .recognizerFailed }
        defer { library.destroyResult(result) }
        return result.pointee.text.map { String(cString: $0) } ?? ""
    }
}

extension PluginFailure {
    fileprivate static let recognizerFailed = PluginFailure.failed(
        "recognizer_failed", "Moonshine could not work on the sound; say it again.")
}
