/// Against whom the limits of a request are counted.
enum Owner: Hashable, Sendable {
    /// Anyone on this machine, where no token is configured.
    case anyone
    /// A token, by its place among the configured ones.
    case token(Int)
}
