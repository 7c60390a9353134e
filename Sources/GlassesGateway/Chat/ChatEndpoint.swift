import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import GlassesServer

/// `POST /v1/chat/completions`: one answer in text, by the pipeline's brain or by an upstream.
///
/// A request counts as a session while it lasts. A client that leaves cancels what works for it.
struct ChatEndpoint: HTTPHandler {
    let gateway: GatewayParts

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        let task = Task { completion(await response(to: request)) }
        completion.whenAbandoned { task.cancel() }
    }

    private func response(to request: HTTPRequest) async -> HTTPResponse {
        guard let admission = gateway.admissions.admit(Credential(request).key), !admission.isClientSecret else {
            return .unauthorized
        }
        if gateway.registry.isDraining { return .draining }
        do {
            let chat = try ChatRequest(body: request.body)
            switch gateway.catalog.chatDestination(of: chat.model) {
            case nil: return .invalid(gateway.catalog.unknownChatModelError, status: 404)
            case .pipeline(let model):
                let conversation = try ChatConversation(chat, acceptsImages: gateway.brain.acceptsImages)
                let record = try gateway.registry.reserve(admission.owner, model: model, upstream: nil)
                return try await BrainChat(brain: gateway.brain, created: gateway.admissions.unixTime)
                    .answer(chat, conversation) { gateway.registry.end(record, closeCode: nil) }
            case .upstream(let upstream):
                let record = try gateway.registry.reserve(
                    admission.owner, model: chat.model ?? upstream.model, upstream: upstream.host)
                return await ChatRelay(to: upstream, record: record, gateway: gateway).answer(chat)
            }
        } catch let refusal as Quota.Refusal {
            return .refusal(refusal)
        } catch let error as RealtimeErrorInfo {
            return .invalid(error)
        } catch let error as BrainError {
            return .error(500, code: error.code, message: error.message)
        } catch {
            // Cancelled: nobody reads this.
            return .error(500, code: "cancelled", message: "The request was abandoned. Send it again.")
        }
    }
}

extension HTTPResponse {
    /// Server-sent events, which no cache keeps.
    static func eventStream(_ stream: HTTPBodyStream) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream(stream))
    }
}
