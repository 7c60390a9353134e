import GlassesDomain

/// What decides in a session: a driver hands facts in and starts what comes out.
public protocol SessionDeciding: Sendable {
    /// Applies a fact and returns what the driver has to start now, in this order. What was found out about texts is in `verdicts`, or
    /// taken from there.
    mutating func apply(
        _ input: SessionInput, at now: MonotonicTime, verdicts: inout TextVerdicts
    ) -> SessionActions
    /// What the next `session.update` says of the device; nil when the model is not told of it.
    var deviceText: String? { get }
}

extension SessionDeciding {
    /// Nothing is told.
    public var deviceText: String? { nil }
}

extension SessionMachine: SessionDeciding {}
