/// One entry of a conversation's history.
///
/// Assistant text is what the user heard: an answer that was cut ends in ` …`.
public enum Turn: Sendable, Hashable, Codable {
    /// What the user said or typed.
    case userText(text: String, timestampMs: Int64)
    /// What the user heard the assistant say.
    case assistantText(text: String, timestampMs: Int64)
    /// A tool call; `argsJson` is the JSON text of its arguments.
    case toolInvocation(name: String, callId: String, argsJson: String, timestampMs: Int64)
    /// The result of the call with the same id, at most 64 KiB.
    case toolReturn(callId: String, output: String, timestampMs: Int64)

    /// Milliseconds since 1970 by the wall clock at the moment the turn began.
    public var timestampMs: Int64 {
        switch self {
        case .userText(_, let time), .assistantText(_, let time), .toolInvocation(_, _, _, let time),
            .toolReturn(_, _, let time):
            time
        }
    }
}
