import GlassesDomain

/// The rights of one plugin's child, as values: made by the parent, applied by the child before it loads the plugin.
///
/// The parent:
/// ```swift
/// let grants = try store.grants(of: plugin)  // PluginGrantsStore
/// let environment = PluginEnvironment(grants, from: ProcessInfo.processInfo.environment)
/// let profile = SandboxProfile(plugin, grants: grants, environment: environment)
/// // spawn the child with environment.texts, no descriptor but its own, and profile.text as an argument
/// ```
/// The child, first thing on its first thread: `PluginSandbox.enter(try SandboxProfile(text: argument))`.
public struct SandboxProfile: Sendable, Hashable {
    /// The paths that the child may use; everything else is refused with `EACCES`.
    public var rules: [SandboxRule]
    /// Whether it may make local sockets (and System V shared memory). The sockets that it was given work in any case.
    public var hasLocalSockets = false
    /// Whether it may make IPv4 and IPv6 sockets.
    public var hasNetwork = false
    /// Whether it may make Bluetooth sockets.
    public var hasBluetooth = false
    /// Whether it may change modes, owners, times and attributes of files by their path; Landlock does not look at these.
    public var changesAttributes = false
    /// How much of the machine it may use.
    public var limits: SandboxLimits
    /// The Landlock ABI that the child takes the kernel to have, never more than the kernel's own; nil for the kernel's. For tests of older
    /// kernels: 0 is a kernel without Landlock.
    public var landlockABI: Int?

    /// A profile that lets nothing through but `rules`.
    public init(rules: [SandboxRule], limits: SandboxLimits = SandboxLimits()) {
        self.rules = rules
        self.limits = limits
    }
}

/// Why a text is no profile.
public struct SandboxProfileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public var reason: String

    /// One sentence with the next step.
    public var description: String {
        "The profile of a plugin's child is not readable: \(reason). Install the runtime and its child programs together."
    }
}

extension SandboxProfile {
    /// The profile as JSON on one line, a few kilobytes, for an argument or a message to the child.
    public var text: String {
        var members: [String: JSONValue] = [
            "rules": .array(rules.map { .array([.string($0.path), .string($0.access.text)]) }),
            "localSockets": .bool(hasLocalSockets), "network": .bool(hasNetwork), "bluetooth": .bool(hasBluetooth),
            "attributes": .bool(changesAttributes),
            "limits": .array(limits.values.map { .int(Int64(clamping: $0)) }),
        ]
        if let landlockABI { members["landlock"] = .int(Int64(landlockABI)) }
        return JSONValue.object(members).jsonText
    }

    /// The profile that ``text`` wrote. A member that is missing or wrong is an error: half a profile must not count as one.
    public init(text: String) throws(SandboxProfileError) {
        let value: JSONValue
        do {
            value = try JSONValue(jsonText: Array(text.utf8))
        } catch {
            throw SandboxProfileError(reason: error.description)
        }
        guard let rules = value["rules"]?.arrayValue, let limits = value["limits"]?.arrayValue else {
            throw SandboxProfileError(reason: "rules or limits are missing")
        }
        var read: [SandboxRule] = []
        for rule in rules { read.append(try Self.rule(rule)) }
        self.init(rules: read, limits: try SandboxLimits(limits.compactMap(\.intValue).map { UInt64(clamping: $0) }))
        hasLocalSockets = try Self.flag("localSockets", value)
        hasNetwork = try Self.flag("network", value)
        hasBluetooth = try Self.flag("bluetooth", value)
        changesAttributes = try Self.flag("attributes", value)
        landlockABI = value["landlock"]?.intValue.map { Int($0) }
    }

    private static func rule(_ value: JSONValue) throws(SandboxProfileError) -> SandboxRule {
        guard let pair = value.arrayValue, pair.count == 2, let path = pair[0].stringValue,
            let access = pair[1].stringValue.flatMap({ SandboxAccess(text: $0) })
        else { throw SandboxProfileError(reason: "a rule is not a path with its access") }
        return SandboxRule(path, access)
    }

    private static func flag(_ name: String, _ value: JSONValue) throws(SandboxProfileError) -> Bool {
        guard let flag = value[name]?.boolValue else { throw SandboxProfileError(reason: "\(name) is missing") }
        return flag
    }
}

extension SandboxLimits {
    fileprivate var values: [UInt64] { [addressSpace, data, descriptors, threads, fileSize] }

    fileprivate init(_ values: [UInt64]) throws(SandboxProfileError) {
        guard values.count == 5 else { throw SandboxProfileError(reason: "there are not five limits") }
        self.init()
        (addressSpace, data, descriptors, threads, fileSize) = (values[0], values[1], values[2], values[3], values[4])
    }
}
