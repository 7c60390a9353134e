/// The call that a tool body works on.
///
/// ```swift
/// builder.tool("search", description: "Searches the shop.") {
///     ToolCall.current?.report("Looking at the second page", aloud: true)
///     …
/// }
/// ```
public struct ToolCall: Sendable {
    /// The call of this body and of the tasks that inherit from it; nil elsewhere.
    @TaskLocal public static var current: ToolCall?

    /// The most notes of one call; later ones are dropped.
    public static let noteLimit = 20
    /// The longest note, in characters; a longer one is cut.
    public static let longestNote = 500

    /// The provider's id of the call.
    public let callId: String
    /// The tool's name.
    public let toolName: String
    private let deliver: @Sendable (_ note: String, _ aloud: Bool) -> Void

    /// A call whose notes go to `deliver`.
    public init(
        callId: String, toolName: String, deliver: @escaping @Sendable (_ note: String, _ aloud: Bool) -> Void
    ) {
        self.callId = callId
        self.toolName = toolName
        self.deliver = deliver
    }

    /// Tells how far the call is. The model reads the note and can answer a question by it; with `aloud` it is also spoken word for
    /// word when nothing else is. Returns at once; callable on any thread. After the call's end, and while the session has no
    /// connection, notes are dropped.
    public func report(_ note: String, aloud: Bool = false) { deliver(note, aloud) }
}
