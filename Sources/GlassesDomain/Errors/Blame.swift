/// Who has to act on an error.
public enum Blame: String, Sendable, Hashable {
    /// The caller: its arguments, its order of calls, its set-up.
    case local
    /// The peer or the device.
    case remote
}

/// What every error of the runtime tells: a code for machines, whom to ask, and a sentence with the next step.
///
/// No description holds keys, audio or transcripts.
public protocol ExtentosErrorDescription: Error, CustomStringConvertible {
    /// The machine-readable code in snake case, stable between versions.
    var code: String { get }
    /// Who has to act.
    var blame: Blame { get }
}
