/// What became of a stream's pictures since it was made; an addition to the vendor's interface.
public struct StreamStatistics: Sendable, Hashable {
    /// Pictures that were handed over.
    public internal(set) var delivered = 0
    /// Pictures that listeners missed because they were slow, the oldest first; each listener's count.
    public internal(set) var dropped = 0
    /// Pictures that were not handed over because they were not in the configured form, damaged, or could not be decoded without
    /// others that had not come.
    public internal(set) var discarded = 0
}
