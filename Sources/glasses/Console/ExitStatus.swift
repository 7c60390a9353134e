/// How the program ends.
enum ExitStatus: Int32, Sendable {
    /// All is well.
    case ok = 0
    /// A part of the work could not be done while the rest was, or a plugin broke a promise.
    case incomplete = 1
    /// The command line is wrong.
    case usage = 2
    /// A device, plugin or speech engine is not available.
    case unavailable = 3
    /// The gateway refused or was lost, or an answer did not come.
    case gateway = 4
}
