internal import GlassesPluginKit

/// The files of one engine as Scripts/speech-engines unpacks them: a folder with a manifest.
struct EngineFiles: Sendable, Hashable {
    /// The folder's name, with the version that this plugin was written for.
    let name: String
    /// The files that are used.
    let files: [String]

    /// The library that runs the models.
    static let sherpa = EngineFiles(
        name: "sherpa-onnx-core-2.0.1", files: ["libsherpa-onnx-c-api.so", "libonnxruntime.so"])
    /// Speech recognition in English.
    static let moonshine = EngineFiles(
        name: "moonshine-voice-0.0.73", files: ["encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"])
    /// Voice activity.
    static let silero = EngineFiles(name: "silero-vad-6.2.3", files: ["silero_vad.onnx"])

    /// What a user does about anything that is wrong with the files.
    static let remedy = "run Scripts/setup"

    private static let manifest = "MANIFEST"

    /// Throws `UNAVAILABLE` that names the first file which is missing or not the one of the manifest.
    ///
    /// The library ends the process on a model that it cannot read, so that nothing unknown may reach it. A file with the size
    /// and the time of the manifest has not been written since it was unpacked and hashed; any other is hashed here, which
    /// takes up to a third of a second.
    func verify(in folder: String) throws(PluginFailure) {
        let manifestPath = "\(folder)/\(Self.manifest)"
        // Written last, so that a folder without one was not unpacked to its end.
        guard let text = FileFacts.text(of: manifestPath) else { throw Self.missing(manifestPath) }
        let manifest = EngineManifest(text)
        for file in files {
            let path = "\(folder)/\(file)"
            guard let expected = manifest.entries[file] else { throw Self.damaged(manifestPath) }
            guard let facts = FileFacts(path: path) else { throw Self.missing(path) }
            guard facts.size == expected.size else { throw Self.damaged(path) }
            if facts.modified == expected.modified { continue }
            guard FileFacts.digest(of: path) == expected.digest else { throw Self.damaged(path) }
        }
    }

    static func missing(_ path: String) -> PluginFailure {
        .unavailable("engine_missing", "The engine file \(path) is missing or cannot be read; \(remedy).")
    }

    private static func damaged(_ path: String) -> PluginFailure {
        .unavailable("engine_damaged", "The engine file \(path) is not the one that was installed; \(remedy).")
    }
}
