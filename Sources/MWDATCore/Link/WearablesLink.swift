/// The toolkit's way to glasses: the mock kit in this process, or a socket to one that is elsewhere or to a phone.
///
/// A link keeps no policy. It carries commands out and events in; what they mean for a registration, a session or a stream is
/// decided by the toolkit's machines, which also hold every time limit.
package protocol WearablesLink: AnyObject, Sendable {
    /// Begins. `deliver` is called with events one after the other, in order, on a thread of the link's own, until ``close()``
    /// returned. The first event is ``LinkEvent/available(_:)`` or ``LinkEvent/unavailable(_:)``; then come the registration's state
    /// and the devices.
    func open(_ deliver: @escaping @Sendable (LinkEvent) -> Void)
    /// Takes a command and returns at once; never called before ``open(_:)``. A command that cannot be carried is answered by its
    /// event of refusal, or by ``LinkEvent/unavailable(_:)`` when nothing can be carried any more.
    func send(_ command: LinkCommand)
    /// Ends; no event is delivered after it returned. Not called from within `deliver`.
    func close()
}

/// Pairs a command with its answer. Chosen by the toolkit, never used twice on one link.
package typealias LinkRequest = UInt64
/// Names a session. Chosen by the toolkit, never used twice on one link.
package typealias LinkSession = UInt64
/// Names one run of a session's stream. Chosen by the toolkit, never used twice on one link.
package typealias LinkStream = UInt64
