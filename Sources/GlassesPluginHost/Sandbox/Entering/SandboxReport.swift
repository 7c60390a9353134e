/// One of the measures that confine a plugin's child.
public enum SandboxMeasure: String, Sendable, Hashable, CaseIterable {
    /// Nothing that it runs gains rights.
    case noNewPrivileges
    /// It leaves no core file and cannot be attached to.
    case noDumps
    /// It has no capabilities, also as root.
    case noCapabilities
    /// Memory, descriptors, threads and file sizes are bounded.
    case limits
    /// Files and devices: Landlock.
    case landlock
    /// System calls: seccomp.
    case seccomp
}

/// What came of one measure.
public enum SandboxOutcome: Sendable, Hashable {
    /// It holds.
    case enforced
    /// It holds but for what the text says.
    case partly(String)
    /// It does not hold, for the reason in the text.
    case absent(String)
}

/// What a child was confined by when it loaded its plugin.
public struct SandboxReport: Sendable, Hashable {
    /// Every measure with its outcome.
    public var outcomes: [SandboxMeasure: SandboxOutcome]
    /// The Landlock ABI that was used; 0 for none.
    public var landlockABI: Int

    /// What does not hold, one sentence for each measure; empty when everything does.
    public var shortcomings: [String] {
        SandboxMeasure.allCases.compactMap { measure in
            switch outcomes[measure] {
            case .enforced: nil
            case .partly(let reason): "\(measure.rawValue) holds in part: \(reason)."
            case .absent(let reason): "\(measure.rawValue) does not hold: \(reason)."
            case nil: "\(measure.rawValue) was not tried."
            }
        }
    }
}
