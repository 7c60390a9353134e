import Foundation
import GlassesDomain
import GlassesWebSocket

/// A WebSocket that has been opened.
public struct OpenedWebSocket: Sendable {
    /// The connection.
    public let channel: any WebSocketChannel
    /// The subprotocol that the server chose; nil when it chose none.
    public let subprotocol: String?
    /// The header fields of the server's answer.
    public let fields: HTTPFields
}

/// Opens WebSockets on the network thread.
public enum WebSocketClient {
    /// Opens a WebSocket; `completion` is called exactly once, on the network thread (a request that cannot be sent fails on
    /// the caller's), before any call to `receiver`.
    ///
    /// The receiver is kept until the connection has ended, and is not called when opening fails. Letting go of the result
    /// changes nothing; see ``WebSocketOpening/cancel()``.
    @discardableResult
    public static func open(
        _ request: WebSocketRequest, receiver: any WebSocketReceiver,
        completion: @escaping @Sendable (Result<OpenedWebSocket, WebSocketOpenFailure>) -> Void
    ) -> WebSocketOpening {
        let opening = WebSocketOpening()
        do throws(NetworkError) {
            let plan = try WebSocketPlan(request, environment: ProcessInfo.processInfo.environment)
            let address = try NetworkLoop.shared.adopt { loop, id in
                ClientConnection(
                    loop: loop, id: id, plan: plan, opening: opening, receiver: receiver, completion: completion)
            }
            opening.attach(address)
        } catch {
            completion(.failure(WebSocketOpenFailure(error)))
        }
        return opening
    }

    /// Opens a WebSocket. Throws ``WebSocketOpenFailure``, and `CancellationError` when the task is cancelled, which ends the
    /// attempt at once.
    public static func open(
        _ request: WebSocketRequest, receiver: any WebSocketReceiver
    ) async throws -> OpenedWebSocket {
        let pending = PendingOpening()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                pending.started(
                    open(request, receiver: receiver) { result in
                        continuation.resume(with: result.mapError(\.thrown))
                    })
            }
        } onCancel: {
            pending.cancel()
        }
    }
}
