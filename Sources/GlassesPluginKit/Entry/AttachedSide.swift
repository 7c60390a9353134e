import Synchronization

/// The host's side of one extension, which the host gives once.
final class AttachedSide<Side: Sendable>: Sendable {
    private let side = Mutex<Side?>(nil)

    /// What was attached; nil before.
    var current: Side? { side.withLock { $0 } }

    /// Takes the host's side; throws for a second one.
    func attach(_ given: Side) throws(PluginFailure) {
        let isFirst = side.withLock { side in
            defer { side = side ?? given }
            return side == nil
        }
        if !isFirst { throw .wrongState("The host has attached its side already.") }
    }

    /// What was attached; throws before that.
    func required() throws(PluginFailure) -> Side {
        guard let current else { throw .wrongState("The host has not attached its side yet.") }
        return current
    }
}
