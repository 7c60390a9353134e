import GlassesDomain

extension RealtimeSession {
    /// The session object as `session.created` carries it, for answers of HTTP endpoints.
    public var json: JSONValue { wire }
}
