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
                defer { gateway.registry.end(record, closeCode: nil) }
                return try await answer(chat, conversation, model: model)
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

    private func answer(
        _ chat: ChatRequest, _ conversation: ChatConversation, model: String
    ) async throws -> HTTPResponse {
        let brain = gateway.brain.makeSession()
        if !gateway.brain.canCompose {
            for question in conversation.openQuestions { _ = try await brain.reply(to: question) }
        }
        let reply = try await brain.reply(to: conversation.request)
        try Task.checkCancellation()
        let calls = conversation.allowsParallelCalls ? reply.calls[...] : reply.calls.prefix(1)
        let made = ChatReply(
            id: PipelineConnector.randomId("chatcmpl-"), created: gateway.admissions.unixTime, model: model,
            fingerprint: "extentos-\(gateway.brain.name)", speech: reply.speech,
            calls: calls.map { (PipelineConnector.randomId("call_"), $0) })
        guard chat.isStreamed else { return .json(made.completion) }
        let stream = HTTPBodyStream()
        let writer = BodyWriter(stream)
        let task = Task {
            for event in made.events(withUsage: chat.wantsUsage) { try await writer.write(Array(event.utf8)) }
            stream.finish()
        }
        stream.whenAbandoned { task.cancel() }
        return .eventStream(stream)
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
