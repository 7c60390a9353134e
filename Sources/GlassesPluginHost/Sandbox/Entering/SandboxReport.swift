public import GlassesDomain

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

    /// Whether everything holds.
    public var isComplete: Bool { outcomes.values.allSatisfy { $0 == .enforced } }

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

extension SandboxReport {
    /// The report as one JSON object, for a message to the parent.
    public var json: JSONValue {
        let measures = outcomes.map { measure, outcome -> (String, JSONValue) in
            switch outcome {
            case .enforced: (measure.rawValue, ["state": "enforced"])
            case .partly(let reason): (measure.rawValue, ["state": "partly", "reason": .string(reason)])
            case .absent(let reason): (measure.rawValue, ["state": "absent", "reason": .string(reason)])
            }
        }
        return [
            "landlockABI": .int(Int64(landlockABI)),
            "measures": .object(Dictionary(uniqueKeysWithValues: measures)),
        ]
    }

    /// The report that ``json`` wrote; nil for anything else. What it says of the child counts only if it was sent before the plugin
    /// was loaded.
    public init?(json: JSONValue) {
        guard let abi = json["landlockABI"]?.intValue, case .object(let measures)? = json["measures"] else {
            return nil
        }
        landlockABI = Int(clamping: abi)
        outcomes = [:]
        for (name, value) in measures {
            guard let measure = SandboxMeasure(rawValue: name) else { return nil }
            let reason = value["reason"]?.stringValue ?? ""
            switch value["state"]?.stringValue {
            case "enforced": outcomes[measure] = .enforced
            case "partly": outcomes[measure] = .partly(reason)
            case "absent": outcomes[measure] = .absent(reason)
            default: return nil
            }
        }
    }
}
