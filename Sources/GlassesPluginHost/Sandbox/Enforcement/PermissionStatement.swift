/// What a permission is worth for one plugin on one machine.
public struct PermissionStatement: Sendable, Hashable {
    /// Whether a plugin without the permission is kept from what it names.
    public enum Enforcement: Sendable, Hashable {
        /// It is, by these measures.
        case enforced(by: [String])
        /// It is not, for this reason: the permission only says what the plugin means to do.
        case declaredOnly(String)
    }

    /// The permission.
    public var permission: SandboxPermission
    /// Whether the manifest asks for it.
    public var isAskedFor: Bool
    /// Whether the plugin has it.
    public var isGranted: Bool
    /// What holds the plugin to it.
    public var enforcement: Enforcement
    /// What is let through all the same; nil for nothing.
    public var caveat: String?

    /// A statement for each kind of permission, and for each scope of files that is asked for or granted.
    ///
    /// A statement speaks of the plugin as it is granted now: what one permission opens can get around another one.
    public static func all(
        for decision: PluginGrantDecision, isolation: PluginIsolation, support: SandboxSupport
    ) -> [PermissionStatement] {
        let grants = decision.grants
        let wanted = Set(decision.wishes.permissions.filter { !SandboxPermission.devices.contains($0) })
        let granted = Set(grants.permissions.filter { !SandboxPermission.devices.contains($0) })
        var files = wanted.union(granted).sorted { $0.text < $1.text }
        if files.isEmpty { files = [.files(nil)] }
        let judge = PermissionJudge(grants: grants, isolation: isolation, support: support)
        return (SandboxPermission.devices + files).map { permission in
            let verdict = judge.verdict(on: permission)
            return PermissionStatement(
                permission: permission, isAskedFor: decision.wishes.cover(permission),
                isGranted: grants.allows(permission), enforcement: verdict.enforcement, caveat: verdict.caveat)
        }
    }
}

/// Judges what holds a plugin with these grants to each permission.
private struct PermissionJudge {
    let grants: PluginGrants
    let isolation: PluginIsolation
    let support: SandboxSupport

    typealias Verdict = (enforcement: PermissionStatement.Enforcement, caveat: String?)

    /// Whether the child can connect to local sockets, which every service of the user listens on.
    private var hasLocalSockets: Bool {
        [.microphone, .speaker, .bluetooth, .localSockets].contains { grants.allows($0) } || !support.hasSeccomp
    }

    func verdict(on permission: SandboxPermission) -> Verdict {
        guard isolation == .process else {
            return (.declaredOnly("the plugin runs in the app's own process, which has every right"), nil)
        }
        switch permission {
        case .microphone: return sound(.microphone, other: .speaker)
        case .speaker: return sound(.speaker, other: .microphone)
        case .camera: return camera
        case .network: return network
        case .bluetooth: return bluetooth
        case .localSockets: return localSockets
        case .files: return files
        }
    }

    private func sound(_ permission: SandboxPermission, other: SandboxPermission) -> Verdict {
        guard support.landlockABI > 0 else { return (.declaredOnly("this kernel has no Landlock"), nil) }
        let devices = "Landlock (sound cards)"
        guard let server = support.soundServer else { return (.enforced(by: [devices]), nil) }
        guard support.hasSeccomp else {
            return (.declaredOnly("the sound server at \(server) is open, and this kernel has no seccomp"), nil)
        }
        if !grants.allows(permission), hasLocalSockets {
            let reason =
                grants.allows(other)
                ? "it is one permission with \(other.text), since the sound server at \(server) gives both"
                : "local sockets are open for \(socketUser.text), and the sound server at \(server) listens on one"
            return (.declaredOnly(reason), nil)
        }
        return (
            .enforced(by: [devices, "seccomp (local sockets)"]),
            "it is one permission with \(other.text), since the sound server at \(server) gives both"
        )
    }

    private var camera: Verdict {
        guard support.landlockABI > 0 else { return (.declaredOnly("this kernel has no Landlock"), nil) }
        let isOpen = hasLocalSockets && support.soundServer != nil
        return (
            .enforced(by: ["Landlock (video devices)"]),
            isOpen ? "PipeWire, where it serves cameras, can be reached over local sockets" : nil
        )
    }

    private var network: Verdict {
        guard support.hasSeccomp else {
            let rest = support.landlockABI >= 4 ? "; Landlock refuses TCP, but not UDP" : ""
            return (.declaredOnly("this kernel has no seccomp" + rest), nil)
        }
        let landlock = support.landlockABI >= 4 ? ["Landlock (TCP)"] : []
        return (
            .enforced(by: ["seccomp (AF_INET, AF_INET6)"] + landlock),
            hasLocalSockets ? "other programs of this user, which local sockets lead to, keep theirs" : nil
        )
    }

    private var bluetooth: Verdict {
        guard support.hasSeccomp else { return (.declaredOnly("this kernel has no seccomp"), nil) }
        return (
            .enforced(by: ["seccomp (AF_BLUETOOTH)"]),
            hasLocalSockets ? "the Bluetooth service can be reached over local sockets" : nil
        )
    }

    private var localSockets: Verdict {
        guard support.hasSeccomp else { return (.declaredOnly("this kernel has no seccomp"), nil) }
        if !grants.allows(.localSockets), hasLocalSockets {
            return (.declaredOnly("local sockets are open for \(socketUser.text)"), nil)
        }
        return (.enforced(by: ["seccomp (AF_UNIX)"]), "every service of the user that listens on one can be reached")
    }

    /// What opens local sockets, other than the sound server.
    private var socketUser: SandboxPermission {
        [.bluetooth, .microphone, .speaker].first { grants.allows($0) } ?? .localSockets
    }

    private var files: Verdict {
        guard support.landlockABI > 0 else { return (.declaredOnly("this kernel has no Landlock"), nil) }
        let attributes = support.hasSeccomp ? ["seccomp (owners, modes, times)"] : []
        return (
            .enforced(by: ["Landlock"] + attributes),
            support.landlockABI < 3 ? "a plugin that may write some files can cut others to length" : nil
        )
    }
}
