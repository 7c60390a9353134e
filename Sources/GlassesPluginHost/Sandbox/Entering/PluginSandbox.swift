import CSandbox
import Glibc

/// Confines the process that carries a plugin.
public enum PluginSandbox {
    /// Gives up, for good, every right that `profile` does not name. Where the kernel lacks something the rest holds all the same, and
    /// the report says so.
    ///
    /// Call it once, first thing on the process's first thread, before it has others and before any code of the plugin: most rights
    /// belong to a thread, and threads inherit them when they start. Takes a few milliseconds. Every refusal afterwards is an error
    /// (`EPERM`, `EACCES`, `ENOSYS` for `clone3`, `EFBIG`), never a signal.
    public static func enter(_ profile: SandboxProfile) -> SandboxReport {
        let threads = SandboxPlaces.names(in: "/proc/self/task").count
        // Read before Landlock closes the rest.
        let files = LandlockRuleset(profile, libraries: LoadedLibraries.folders())
        var outcomes: [SandboxMeasure: SandboxOutcome] = [
            .noNewPrivileges: outcome(csandbox_no_new_privileges()), .noDumps: outcome(csandbox_not_dumpable()),
            .limits: applyLimits(profile.limits), .noCapabilities: outcome(csandbox_drop_capabilities()),
            .landlock: files.enter(),
        ]
        if threads > 1 {
            let reason = "\(threads - 1) threads were running before"
            for measure in [SandboxMeasure.noCapabilities, .landlock] where outcomes[measure] == .enforced {
                outcomes[measure] = .partly(reason)
            }
        }
        // Last, since it also refuses what the others needed.
        outcomes[.seccomp] = installFilter(profile)
        return SandboxReport(outcomes: outcomes, landlockABI: files.abi)
    }

    private static func outcome(_ error: Int32) -> SandboxOutcome {
        error == 0 ? .enforced : .absent(SystemError(error).description)
    }

    private static func installFilter(_ profile: SandboxProfile) -> SandboxOutcome {
        var options = csandbox_filter_options(
            local_sockets: profile.hasLocalSockets, network_sockets: profile.hasNetwork,
            bluetooth_sockets: profile.hasBluetooth, file_attributes: profile.changesAttributes)
        return outcome(csandbox_filter_install(&options))
    }

    private static func applyLimits(_ limits: SandboxLimits) -> SandboxOutcome {
        var wanted: [(String, Int, UInt64)] = [
            ("data", CSANDBOX_DATA, limits.data), ("descriptors", CSANDBOX_DESCRIPTORS, limits.descriptors),
            ("threads", CSANDBOX_PROCESSES, limits.threads), ("core", CSANDBOX_CORE, 0),
            ("file size", CSANDBOX_FILE_SIZE, limits.fileSize),
        ]
        var missing: [String] = []
        if csandbox_has_shadow_memory() {
            missing.append("addresses, since a sanitizer needs them")
        } else {
            wanted.append(("addresses", CSANDBOX_ADDRESS_SPACE, limits.addressSpace))
        }
        for (name, resource, value) in wanted {
            let error = csandbox_limit(Int32(resource), value)
            if error != 0 { missing.append("\(name): \(SystemError(error).description)") }
        }
        let ignored = csandbox_ignore_file_size_signal()
        if ignored != 0 { missing.append("a file that is too large ends the process") }
        return missing.isEmpty ? .enforced : .partly(missing.joined(separator: "; "))
    }
}

/// The libraries of this process.
enum LoadedLibraries {
    /// The folders that they were loaded from: a plugin in Swift needs more of them, wherever Swift is installed.
    static func folders() -> [String] {
        let text: [UInt8]
        do {
            // More than any process maps; a longer list only costs the folders at its end.
            text = try PluginFile.read("/proc/self/maps", limit: 8 << 20) ?? []
        } catch {
            return []
        }
        let paths = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line -> String? in
            guard let slash = line.firstIndex(of: "/") else { return nil }
            let path = String(line[slash...])
            return path.contains(".so") ? PluginPermissions.parent(of: path) : nil
        }
        return Set(paths).sorted()
    }
}
