import GlassesDomain

/// A connection that is made ready beside the open one, to take its place.
struct SecondConnection: Sendable, Hashable {
    /// How far it is.
    enum Phase: Sendable, Hashable {
        case opening
        case configuring(eventID: String)
        /// Items by id with the event ids of their commands, until the provider has acknowledged them.
        case replaying(awaited: [String: String])
        /// It has the whole conversation.
        case ready
    }

    /// Its number.
    let id: ConnectionID
    /// How far it is.
    var phase = Phase.opening
    /// What the provider says of its session.
    var server = ServerSessionFacts()
    /// The history's revision that it was given; nil before.
    var revision: Int?

    /// An attempt that begins.
    init(id: ConnectionID) { self.id = id }
}

/// What a session knows of replacing its connection before the provider ends it.
struct Rotation: Sendable, Hashable {
    /// When to do it; nil while nobody knows of a ceiling.
    var plan: RotationPlan?
    /// The new connection, while it is made ready.
    var second: SecondConnection?
    /// Whether the provider refused a second connection: then the open one is closed first.
    var closesFirst = false
    /// Before this no further attempt is made.
    var restsUntil = MonotonicTime.zero

    /// A session without a ceiling.
    init() {}
}
