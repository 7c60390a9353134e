public import GlassesDomain

/// What a plugin can be.
public enum PluginKind: String, Sendable, Hashable, CaseIterable {
    /// A device transport.
    case transport
    /// A speech recogniser.
    case stt
    /// A speech synthesiser.
    case tts
    /// Something that answers a text with text and tool calls.
    case brain
    /// A detector of speech.
    case vad

    /// The id of the factory that a plugin of this kind offers.
    public var factoryId: String { "glasses.\(rawValue)/1" }
}

/// Where a plugin asks to run.
public enum PluginIsolation: String, Sendable, Hashable {
    /// In a child process.
    case process
    /// In the app's process, for trusted code that needs it.
    case inProcess
}

/// A version of the plugin ABI.
public struct PluginABIVersion: Sendable, Hashable, CustomStringConvertible {
    /// Versions with different majors do not fit each other.
    public var major: Int
    /// A higher minor adds what a lower one lacks.
    public var minor: Int

    /// The version that this host speaks.
    public static let host = PluginABIVersion(major: 1, minor: 0)

    /// A version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Whether this host can load a plugin of this version.
    public var isSupported: Bool { major == Self.host.major && (0...Self.host.minor).contains(minor) }

    /// The text in a manifest, such as `1.0`.
    public var description: String { "\(major).\(minor)" }
}

/// What `plugin.json` says of a plugin; read before any of the plugin's code.
public struct PluginManifest: Sendable, Hashable {
    /// The plugin's name for machines: reverse DNS, such as `org.extentos.loopback`.
    public var id: String
    /// The name that a person reads.
    public var name: String
    /// The plugin's own version.
    public var version: String
    /// The ABI that it was built for.
    public var abi: PluginABIVersion
    /// What it offers; never empty.
    public var kinds: [PluginKind]
    /// The file name of the library beside the manifest; nil in a build folder, where the name follows from the layout.
    public var library: String?
    /// Who made it.
    public var vendor: String?
    /// The capabilities of the devices that it serves, such as `microphone`.
    public var capabilities: [String] = []
    /// The device models that it serves.
    public var models: [String] = []
    /// What it needs from the system, as ``SandboxPermission`` writes it; texts that this host does not know grant nothing.
    public var permissions: [String] = []
    /// The environment variables that it reads; without a grant it gets none of them.
    public var environment: [String] = []
    /// Where it asks to run.
    public var isolation: PluginIsolation = .process
    /// The library's SHA-256 in lower-case hexadecimal; checked when it is present.
    public var sha256: String?
    /// Every key that this host does not know, kept as it was.
    public var unknown: [String: JSONValue] = [:]
}
