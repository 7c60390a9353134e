import GlassesDomain

/// A connection that is being given the conversation while the session still uses the one before it.
struct SecondConnection: Sendable, Hashable {
    enum Stage: Sendable, Hashable {
        case opening
        case configuring(eventID: String)
        /// Items by id with the event ids of their commands, until the provider has acknowledged them.
        case replaying(awaited: [String: String])
    }

    let id: ConnectionID
    var stage = Stage.opening
    /// What the provider reports of it.
    var facts = ServerSessionFacts()
    /// The session's history as it was replayed, with what counts as sent on this connection.
    var history: ConversationHistory?
    /// What it was told of the user.
    var preamble: String?
    /// The session's history at that moment: when it changes, the replay is out of date.
    var revision = 0
}
