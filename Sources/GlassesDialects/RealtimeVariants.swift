import GlassesDomain
import GlassesRealtime
import GlassesWebSocket

/// Forms of the realtime protocol that differ in names and places, for clients of its general release.
public enum RealtimeVariants {
    /// What stands between a client and an endpoint with these capabilities; nil where messages pass as they are.
    public static func adapter(for capabilities: RealtimeCapabilities) -> WebSocketAdapter? {
        switch (capabilities.eventNames, capabilities.sessionShape) {
        case (.current, .nested): nil
        case (.beta, _):
            { _, open, receiver in
                let session = BetaSession(client: receiver)
                return session.channel(to: try await open(session))
            }
        case (.current, .voiceOnTop):
            { _, open, receiver in
                let session = RewrittenSession(
                    client: receiver, toServer: TopLevelVoice.clientMessage, fromServer: TopLevelVoice.serverMessage)
                return session.channel(to: try await open(session))
            }
        }
    }
}
