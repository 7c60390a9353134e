/// What the kit gives to a speech engine. [any]
public struct EngineHost: Sendable {
    /// The host's log.
    public let log: HostLog
}
