/// How much of the machine a plugin's child may use. A limit of the process that is lower already stays.
public struct SandboxLimits: Sendable, Hashable {
    /// Addresses that are reserved, in bytes. Default 16 GiB: every thread's stack and heap reserve far more than they use.
    public var addressSpace: UInt64 = 16 << 30
    /// Memory that it can write, in bytes, shared memory not counted. Default 4 GiB, which a model in memory fits into.
    public var data: UInt64 = 4 << 30
    /// Open descriptors. Default 256.
    public var descriptors: UInt64 = 256
    /// Threads of its user, those of other processes counted too. Default 16,384: a busy desktop has thousands, and what runs away is
    /// stopped; processes are refused altogether. The kernel does not hold it against root.
    public var threads: UInt64 = 16_384
    /// The largest file that it can write, in bytes. Default 256 MiB: a sound server's client shares 64 MiB as one file.
    public var fileSize: UInt64 = 256 << 20

    /// The defaults.
    public init() {}
}
