/// What a child says of the instance that it has opened.
struct ChildInstance: Sendable, Hashable {
    var description: CText
    var extensions: TransportExtensions
}

/// The instance that a supervised child carries, as the host knows it.
///
/// Callbacks of one child come in order on its thread; what happens to children comes on the supervision's queue.
protocol ChildClient: AnyObject, Sendable {
    /// A child has opened its instance; fails when it is not what it was before, or makes no sense.
    func childOpened(_ instance: ChildInstance) -> Result<Void, PluginFailureReport>
    /// Brings the new child to where the dead one was, and calls ``ChildRestoration/finish()`` when it is there.
    func restore(_ restoration: ChildRestoration)
    /// A callback of the plugin; throws for one that this kind of instance does not have.
    func received(_ message: ChildMessage) throws(WireError)
    /// A child is dead: every request that it had accepted ends with `report`.
    func childEnded(_ report: PluginFailureReport)
    /// No new child delivers since a second.
    func outageIsLong()
    /// A new child delivers; `wasTold` says whether ``outageIsLong()`` was called.
    func childWasReplaced(wasTold: Bool)
    /// There will be no other child.
    func childWasGivenUp(_ report: PluginFailureReport)
}
