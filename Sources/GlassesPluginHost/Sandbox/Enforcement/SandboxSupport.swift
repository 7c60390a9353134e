import CSandbox
import Foundation

/// What this machine can hold a plugin to, and what would get around it.
public struct SandboxSupport: Sendable, Hashable {
    /// The kernel's Landlock ABI; 0 for none.
    public var landlockABI: Int
    /// Whether the kernel can refuse system calls.
    public var hasSeccomp: Bool
    /// The socket of a sound server, whose clients are asked for neither microphone nor speaker; nil for none.
    public var soundServer: String?

    /// A machine like this.
    public init(landlockABI: Int, hasSeccomp: Bool, soundServer: String?) {
        self.landlockABI = landlockABI
        self.hasSeccomp = hasSeccomp
        self.soundServer = soundServer
    }

    /// This machine, for a user with this environment.
    public static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> SandboxSupport {
        SandboxSupport(
            landlockABI: LandlockRuleset.kernelABI().abi, hasSeccomp: csandbox_filter_is_supported(),
            soundServer: soundServer(environment))
    }

    /// Where a sound server listens: as the user's variables name it, else in the user's folder for sockets, else for all users.
    static func soundServer(_ environment: [String: String]) -> String? {
        if let named = environment["PULSE_SERVER"], !named.isEmpty { return named }
        let runtime = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(geteuid())"
        let places = [environment["PULSE_RUNTIME_PATH"].map { $0 + "/native" }, runtime + "/pulse/native"]
        return (places.compactMap { $0 } + [runtime + "/pipewire-0", "/run/pulse/native"]).first {
            PluginFile(path: $0) != nil
        }
    }
}
