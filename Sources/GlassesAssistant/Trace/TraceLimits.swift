/// The limits of a trace.
public enum TraceLimits {
    /// Bytes of a trace at most, some hours of conversation: who forgets the option does not fill the disk.
    public static let fileBytes = 64 << 20
    /// Bytes of a picture at most; a session sends far less.
    static let pictureBytes = 32 << 20
    /// Elements of a list in an action that are written out; of longer ones the trace has the number, a hash and the last one, since the
    /// history is published whole with every turn.
    static let listed = 4
}
