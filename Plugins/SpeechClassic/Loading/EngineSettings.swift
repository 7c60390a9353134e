import GlassesPluginKit

/// The settings that both engines of this plugin take.
struct EngineSettings: Sendable, Hashable {
    /// Where the libraries are, `libraryFolder`: an absolute path; nil means the system's search path.
    var libraryFolder: String?
    /// Where the recogniser's model is, `modelFolder`: an absolute path.
    var modelFolder: String
    /// The synthesiser's default voice, `voice`.
    var voice: String?

    /// Where Debian's package pocketsphinx-en-us puts its model.
    static let systemModelFolder = "/usr/share/pocketsphinx/model/en-us"

    init(_ settings: PluginSettings) throws(PluginFailure) {
        libraryFolder = try Self.folder("libraryFolder", in: settings)
        modelFolder = try Self.folder("modelFolder", in: settings) ?? Self.systemModelFolder
        voice = try settings.string("voice")
    }

    private static func folder(_ key: String, in settings: PluginSettings) throws(PluginFailure) -> String? {
        guard let path = try settings.string(key) else { return nil }
        guard path.hasPrefix("/"), !path.contains("\0") else {
            throw .invalid("invalid_settings", "The setting \(key) has to be an absolute path.")
        }
        return path
    }
}
