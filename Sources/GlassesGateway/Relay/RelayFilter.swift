import CShims
import GlassesDomain
import GlassesRealtime

/// What a relay changes in a client's messages: the model's name, and events that the upstream does not know.
/// Everything else, and all audio, passes as it came, without being decoded. Pure.
struct RelayFilter: Sendable {
    /// What becomes of a message.
    enum Verdict: Equatable {
        /// It goes to the upstream as it came.
        case forward
        /// This goes to the upstream instead.
        case replace([UInt8])
        /// It goes nowhere, and the client gets this.
        case answer([UInt8])
    }

    private static let sessionUpdate = "session.update"
    private static let itemPrefix = "conversation.item."
    private static let cancel = "response.cancel"

    private let model: String
    private let refused: Set<String>
    private let cancelsByName: Bool
    /// What a message has to contain to be decoded at all.
    private let marks: [[UInt8]]

    /// A filter for sessions that go to `upstream`.
    init(_ upstream: Upstream) {
        model = upstream.model
        let capabilities = upstream.capabilities
        let events = [
            ("conversation.item.truncate", capabilities.truncate),
            ("conversation.item.retrieve", capabilities.retrieve),
            ("conversation.item.delete", capabilities.delete),
        ]
        refused = Set(events.filter { !$0.1 }.map(\.0))
        cancelsByName = capabilities.cancelByName
        let others = (refused.isEmpty ? [] : [Self.itemPrefix]) + (cancelsByName ? [] : [Self.cancel])
        marks = ([Self.sessionUpdate] + others).map { Array($0.utf8) }
    }

    /// What becomes of a client's `message`; `makeId` gives the id of an event that the gateway sends itself.
    func client(_ message: [UInt8], makeId: (String) -> String) -> Verdict {
        guard message.count <= GatewayLimits.inspectedMessage, marks.contains(where: { Self.contains(message, $0) })
        else {
            return .forward
        }
        let tree: JSONValue
        do {
            tree = try JSONValue(jsonText: message)
        } catch {
            // The upstream answers what is no JSON, in its own words.
            return .forward
        }
        guard let type = tree["type"]?.stringValue else { return .forward }
        if type == Self.sessionUpdate { return renamed(tree) }
        if type == Self.cancel, !cancelsByName { return unnamed(tree) }
        if refused.contains(type) {
            return .answer(refusal(of: type, eventId: tree["event_id"]?.stringValue, id: makeId("event_")))
        }
        return .forward
    }

    /// Some clients repeat the model in every update; the upstream knows it by its own name.
    private func renamed(_ tree: JSONValue) -> Verdict {
        guard var members = tree.objectValue, var session = members["session"]?.objectValue,
            let named = session["model"], named != .string(model)
        else { return .forward }
        session["model"] = .string(model)
        members["session"] = .object(session)
        return .replace(Array(JSONValue.object(members).jsonText.utf8))
    }

    /// The upstream cancels the answer of the conversation, and knows no other.
    private func unnamed(_ tree: JSONValue) -> Verdict {
        guard var members = tree.objectValue, members.removeValue(forKey: "response_id") != nil else { return .forward }
        return .replace(Array(JSONValue.object(members).jsonText.utf8))
    }

    private func refusal(of type: String, eventId: String?, id: String) -> [UInt8] {
        let error = RealtimeErrorInfo(
            message: "The upstream of this model does not know \(type).", code: "unsupported_event", param: "type",
            eventId: eventId)
        return RealtimeCodec.encode(.error(error), eventId: id)
    }

    private static func contains(_ message: [UInt8], _ mark: [UInt8]) -> Bool {
        cshims_find(message, message.count, mark, mark.count) >= 0
    }
}
