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
        return try await GeminiChannel.connect(model: model, open: open, receiver: receiver)
    }
}
