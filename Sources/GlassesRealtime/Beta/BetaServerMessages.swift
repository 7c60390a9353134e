import GlassesDomain

/// The messages of a beta server in the form of the GA protocol, with the events that the beta dialect had not. Pure.
public struct BetaServerMessages: Sendable, Hashable {
    /// More items than a server works on at once; older ones have got all their events.
    private static let limit = 256

    private struct Item: Sendable, Hashable {
        /// The function of a call; nil for other items.
        var name: String?
        /// The item before it.
        var previousItemId: String?
    }

    private var items: [String: Item] = [:]
    private var order: [String] = []

    /// A reader of a session's messages.
    public init() {}

    /// `message` as GA clients take it, and what belongs beside it. What cannot be read passes as it came.
    public mutating func messages(for message: [UInt8]) -> [[UInt8]] {
        let event: Identified<ServerEvent>
        do {
            event = try RealtimeCodec.decodeServerEvent(message)
        } catch {
            return [message]
        }
        return events(for: event).map { event in
            if case .unknown = event.event { message } else { RealtimeCodec.encode(event) }
        }
    }

    private mutating func events(for event: Identified<ServerEvent>) -> [Identified<ServerEvent>] {
        switch event.event {
        case .conversationItemAdded(let placement):
            change(placement.item.id) { $0.previousItemId = placement.previousItemId }
            // The beta dialect said nothing when an item was complete. What a client made is, from the beginning.
            guard Self.isComplete(placement.item) else { return [event] }
            return [event, beside(event, .conversationItemDone(placement))]
        case .responseOutputItemAdded(let output):
            if case .functionCall(let call) = output.item.body { change(output.item.id) { $0.name = call.name } }
            return [event]
        case .responseOutputItemDone(let output):
            let previous = output.item.id.flatMap { items[$0]?.previousItemId }
            let placement = ItemPlacement(item: output.item, previousItemId: previous)
            return [beside(event, .conversationItemDone(placement)), event]
        case .responseFunctionCallArgumentsDone(var done):
            guard done.name.isEmpty, let name = items[done.call.itemId]?.name else { return [event] }
            done.name = name
            return [Identified(.responseFunctionCallArgumentsDone(done), eventId: event.eventId, extra: event.extra)]
        default: return [event]
        }
    }

    private func beside(_ event: Identified<ServerEvent>, _ other: ServerEvent) -> Identified<ServerEvent> {
        Identified(other, eventId: (event.eventId ?? "event") + "_done")
    }

    private static func isComplete(_ item: ConversationItem) -> Bool {
        switch item.body {
        case .message(let message): message.role != .assistant || item.status == .completed
        case .functionCallOutput: true
        case .functionCall, .mcpListTools, .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse, .itemReference,
            .unknown:
            item.status == .completed
        }
    }

    private mutating func change(_ id: String?, _ body: (inout Item) -> Void) {
        guard let id, !id.isEmpty else { return }
        if items[id] == nil { order.append(id) }
        body(&items[id, default: Item()])
        while order.count > Self.limit { items[order.removeFirst()] = nil }
    }
}
