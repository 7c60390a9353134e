public import CGlassesPlugin
import Synchronization

/// One request of the host: it ends exactly once, whatever the plugin does.
///
/// The first of ``complete()`` and ``fail(_:)`` counts, later ones do nothing. A request that is let go without an ending
/// fails with `request_dropped`, so that the host never waits for its limit.
public final class PluginRequest: Sendable {
    /// The host's number of the request.
    public let id: glasses_request_id
    let host: TransportHost
    private let isEnded = Atomic(false)

    init(id: glasses_request_id, host: TransportHost) {
        self.id = id
        self.host = host
    }

    deinit {
        fail(.failed("request_dropped", "The plugin gave up a request without an answer; report this to its vendor."))
    }

    /// Ends the request with success. [any]
    public func complete() { end(nil) }

    /// Ends the request with success after `deliver` has handed its result over; neither happens for one that has ended.
    func complete(after deliver: () -> Void) {
        guard takeEnding() else { return }
        deliver()
        host.complete(id, nil)
    }

    /// Ends the request with an error. [any]
    public func fail(_ failure: PluginFailure) { end(failure) }

    /// Takes the ending away, for a request that was refused at once.
    func refuse() { isEnded.store(true, ordering: .releasing) }

    private func end(_ failure: PluginFailure?) {
        if takeEnding() { host.complete(id, failure) }
    }

    private func takeEnding() -> Bool {
        isEnded.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }
}
