import Glibc
import GlassesPluginKit

/// The files of the English dictation model.
struct DictationModel: Sendable, Hashable {
    let acousticModel: String
    let languageModel: String
    let dictionary: String

    /// The model in `folder`; throws `UNAVAILABLE` naming the first file that is missing.
    ///
    /// Every file is looked for here, because the library ends the process on some that it cannot open.
    init(folder: String) throws(PluginFailure) {
        acousticModel = "\(folder)/en-us"
        languageModel = "\(folder)/en-us.lm.bin"
        dictionary = "\(folder)/cmudict-en-us.dict"
        let parts = ["feat.params", "mdef", "means", "noisedict", "sendump", "transition_matrices", "variances"]
        for path in [languageModel, dictionary] + parts.map({ "\(acousticModel)/\($0)" }) {
            guard access(path, R_OK) == 0 else {
                throw .unavailable(
                    "model_missing",
                    "The speech model's file \(path) cannot be read; run Scripts/setup, or: apt-get install "
                        + "pocketsphinx-en-us.")
            }
        }
    }

    /// The decoder's arguments; everything else keeps the library's default, which measured best.
    var arguments: [String] {
        ["-hmm", acousticModel, "-lm", languageModel, "-dict", dictionary]
    }
}
