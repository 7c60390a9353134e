import CSandbox
import Glibc

/// Landlock's part of a profile: which paths stay within reach.
struct LandlockRuleset {
    /// The ABI that is used: the kernel's, or the lower one that the profile names.
    let abi: Int
    private let absence: String
    private let rules: [SandboxRule]
    private let hasNetwork: Bool

    init(_ profile: SandboxProfile, libraries: [String]) {
        let kernel = Self.kernelABI()
        abi = min(kernel.abi, max(profile.landlockABI ?? kernel.abi, 0))
        absence = kernel.reason ?? "it was told to do without"
        rules = profile.rules + libraries.map { SandboxRule($0, .read) }
        hasNetwork = profile.hasNetwork
    }

    /// The kernel's ABI, and why it is 0.
    static func kernelABI() -> (abi: Int, reason: String?) {
        var error: Int32 = 0
        let abi = Int(csandbox_landlock_abi(&error))
        switch error {
        case 0: return (abi, nil)
        case ENOSYS: return (0, "this kernel has no Landlock")
        case EOPNOTSUPP: return (0, "Landlock is switched off in this kernel")
        default: return (0, SystemError(error).description)
        }
    }

    /// Applies the rules to this thread and those that it starts.
    func enter() -> SandboxOutcome {
        guard abi > 0 else { return .absent(absence) }
        var rights = csandbox_landlock_rights(
            files: Self.handled(abi), network: abi >= 4 && !hasNetwork ? 3 : 0, scopes: abi >= 6 ? 3 : 0)
        let ruleset = csandbox_landlock_create(&rights)
        guard ruleset >= 0 else { return .absent(SystemError(errno).description) }
        defer { close(ruleset) }
        var refused: [String] = []
        for rule in rules {
            let error = csandbox_landlock_allow(ruleset, rule.path, Self.rights(rule.access) & rights.files)
            // What is not there cannot be opened either; a path that we may not open cannot be by the plugin.
            if ![0, ENOENT, ENOTDIR, EACCES, ELOOP].contains(error) {
                refused.append("\(rule.path): \(SystemError(error).description)")
            }
        }
        let error = csandbox_landlock_restrict(ruleset)
        guard error == 0 else { return .absent(SystemError(error).description) }
        let missing = Self.missing(abi) + refused
        return missing.isEmpty ? .enforced : .partly(missing.joined(separator: "; "))
    }

    /// What an older ABI does not look at, in the words of the report.
    static func missing(_ abi: Int) -> [String] {
        var missing: [String] = []
        if abi < 2 { missing.append("files cannot be moved between folders (ABI 2)") }
        if abi < 3 { missing.append("cutting a file by its path is not refused where files may be written (ABI 3)") }
        if abi < 5 { missing.append("device commands are not refused on files that may be read (ABI 5)") }
        if abi < 6 { missing.append("abstract local sockets are not refused where local sockets are allowed (ABI 6)") }
        return missing
    }

    private static func handled(_ abi: Int) -> UInt64 {
        var rights = CSANDBOX_FS_OF_ABI_1
        if abi >= 2 { rights |= CSANDBOX_FS_REFER }
        if abi >= 3 { rights |= CSANDBOX_FS_TRUNCATE }
        if abi >= 5 { rights |= CSANDBOX_FS_IOCTL_DEV }
        return rights
    }

    private static func rights(_ access: SandboxAccess) -> UInt64 {
        var rights: UInt64 = 0
        if access.contains(.read) { rights |= CSANDBOX_READ }
        if access.contains(.list) { rights |= CSANDBOX_FS_READ_DIR }
        if access.contains(.write) { rights |= CSANDBOX_CHANGE }
        if access.contains(.device) { rights |= CSANDBOX_READ | CSANDBOX_DEVICE }
        return rights
    }
}
