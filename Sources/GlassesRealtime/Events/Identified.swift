import GlassesDomain

/// An event with what stands around it in its message.
public struct Identified<Event> {
    /// The sender's id of the event; nil when it gave none.
    public var eventId: String?
    /// The event.
    public var event: Event
    /// Fields of the message that the protocol does not name; empty for unknown events, which hold everything.
    public var extra: [String: JSONValue]

    /// An event with its id.
    public init(_ event: Event, eventId: String?, extra: [String: JSONValue] = [:]) {
        self.event = event
        self.eventId = eventId
        self.extra = extra
    }
}

extension Identified: Sendable where Event: Sendable {}
extension Identified: Equatable where Event: Equatable {}
extension Identified: Hashable where Event: Hashable {}
