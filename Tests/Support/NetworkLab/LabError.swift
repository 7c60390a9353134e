/// Why a script of the lab could not go on.
public enum LabError: Error, Sendable {
    /// What the script waited for did not come in time.
    case timeout
    /// The peer closed or reset the connection, or the server was stopped.
    case closed
    /// A part of the lab could not be set up.
    case setup(String)
}
