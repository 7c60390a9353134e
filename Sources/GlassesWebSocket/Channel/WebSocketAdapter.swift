import GlassesDomain

/// Opens a WebSocket to an endpoint whose messages go to the receiver; throws `ConnectionClosure` and `CancellationError`.
public typealias WebSocketOpener = @Sendable (any WebSocketReceiver) async throws -> any WebSocketChannel

/// Opens the connection of a session through an opener, as often as it needs, and gives what comes to the receiver in another
/// form; throws as the opener does.
public typealias WebSocketAdapter =
    @Sendable (RealtimeRequest, @escaping WebSocketOpener, any WebSocketReceiver) async throws -> any WebSocketChannel
