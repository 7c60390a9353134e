import GlassesDomain
import GlassesWebSocket

/// Endpoints that speak Gemini Live, for clients of the realtime protocol.
public enum GeminiLive {
    /// Opens sessions at such endpoints. A request has to name its model; one that does not fails with the code `model_required`.
    public static let adapter: WebSocketAdapter = { request, open, receiver in
        guard let model = request.model, !model.isEmpty else {
            throw ConnectionClosure(
                code: "model_required", message: "This endpoint serves several models. Name one in the configuration.")
        }
        return try await connect(model: model, receiver: receiver, open: open)
    }

    /// Opens a session with `model` by `open`, which is called again each time that the server goes away. `opened` gets the session
    /// before its first message, `session.created`, comes to the receiver. Throws as `open` does.
    @discardableResult
    public static func connect(
        model: String, receiver: any WebSocketReceiver, open: @escaping WebSocketOpener,
        opened: @Sendable (any WebSocketChannel) -> Void = { _ in }
    ) async throws -> any WebSocketChannel {
        try await GeminiChannel.connect(model: model, open: open, receiver: receiver, opened: opened)
    }
}
