/// The whole environment of a plugin's child: the granted variables that are set here, and one of our own.
public struct PluginEnvironment: Sendable, Hashable {
    /// Names and values.
    public let variables: [String: String]

    /// Longer values, which could keep the child from starting at all, are left out.
    static let valueLimit = 32_768

    /// The variables that `grants` names, with their values in `environment`.
    public init(_ grants: PluginGrants, from environment: [String: String]) {
        var variables: [String: String] = [:]
        for name in grants.environment where Self.isGrantable(name) {
            if let value = environment[name], value.utf8.count <= Self.valueLimit { variables[name] = value }
        }
        // Swift's crash reporter could hold a crashed child for minutes.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        self.variables = variables
    }

    /// The texts for `posix_spawn`, sorted.
    public var texts: [String] { variables.map { "\($0.key)=\($0.value)" }.sorted() }

    /// Whether a plugin can get a variable of this name: not those of the dynamic linker, the C library's tuning and the Swift runtime,
    /// which would run or change code before the child is confined.
    public static func isGrantable(_ name: String) -> Bool {
        let isName = name.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
        }
        guard isName, let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return !["LD_", "GLIBC_", "MALLOC_", "SWIFT_"].contains { name.hasPrefix($0) }
    }
}
