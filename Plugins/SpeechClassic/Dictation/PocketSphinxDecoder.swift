import Glibc
import GlassesPluginKit

/// One PocketSphinx decoder with the dictation model, about 100 MB.
final class PocketSphinxDecoder: @unchecked Sendable {
    // because only the thread that made it, and from then on only the engine's thread, calls it
    private let library: PocketSphinxLibrary
    private let decoder: PocketSphinxLibrary.Pointer

    /// Posteriors are logarithms to this base, the library's default.
    private static let logBase = 1.0001

    /// Loads the model, about 0.3 s.
    init(library: PocketSphinxLibrary, model: DictationModel) throws(PluginFailure) {
        library.setLogFile(nil)
        let arguments = model.arguments
        var texts = arguments.map { strdup($0) }
        defer { for text in texts { free(text) } }
        guard
            let parsed = library.parseArguments(
                nil, library.argumentDefinitions(), Int32(arguments.count), &texts, 1)
        else { throw .failed("model_unreadable", "PocketSphinx refuses its settings; reinstall libpocketsphinx3.") }
        defer { _ = library.freeArguments(parsed) }
        guard let decoder = library.makeDecoder(parsed) else {
            throw .unavailable(
                "model_unreadable",
                "The speech model cannot be read; run Scripts/setup, or: apt-get install --reinstall "
                    + "pocketsphinx-en-us.")
        }
        self.library = library
        self.decoder = decoder
    }

    deinit { _ = library.freeDecoder(decoder) }

    /// Says that the calling thread is from now on the decoder's.
    func adoptThread() { library.setLogFile(nil) }

    func start() throws(PluginFailure) {
        guard library.startUtterance(decoder) >= 0 else { throw .decoderFailed }
    }

    func process(_ samples: [Int16]) throws(PluginFailure) {
        let result = samples.withUnsafeBufferPointer { samples -> Int32 in
            guard let start = samples.baseAddress else { return 0 }
            return library.process(decoder, start, samples.count, 0, 0)
        }
        guard result >= 0 else { throw .decoderFailed }
    }

    /// Whether the sound of the moment is above the noise.
    var isInSpeech: Bool { library.isInSpeech(decoder) != 0 }

    /// Ends the utterance and searches once more; takes about 5 % of its length.
    func end() throws(PluginFailure) -> Hypothesis {
        guard library.endUtterance(decoder) >= 0 else { throw .decoderFailed }
        // Asked for first, since it is this call that computes the posteriors.
        guard library.hypothesis(decoder, nil) != nil else { return segments() }
        return segments()
    }

    /// What the decoder makes of the sound so far; during an utterance without posteriors.
    func segments() -> Hypothesis {
        var segments: [Hypothesis.Segment] = []
        var next = library.firstSegment(decoder)
        while let segment = next {
            var first: Int32 = 0
            var last: Int32 = 0
            library.segmentFrames(segment, &first, &last)
            let posterior = exp(Double(library.segmentPosterior(segment, nil, nil, nil)) * log(Self.logBase))
            if let word = library.segmentWord(segment) {
                segments.append(
                    Hypothesis.Segment(
                        word: String(cString: word), frames: max(Int(last) - Int(first) + 1, 0),
                        posterior: min(posterior, 1)))
            }
            next = library.nextSegment(segment)
        }
        return Hypothesis(segments: segments)
    }
}

extension PluginFailure {
    fileprivate static let decoderFailed = PluginFailure.failed(
        "decoder_failed", "PocketSphinx could not work on the sound; say it again.")
}
