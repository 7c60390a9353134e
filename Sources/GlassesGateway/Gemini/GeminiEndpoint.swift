import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import GlassesServer

/// `GET /ws/google.ai.generativelanguage.VERSION.GenerativeService.BidiGenerateContent`: sessions of the pipeline for clients of
/// Gemini Live.
struct GeminiEndpoint: HTTPHandler {
    private static let service = "google.ai.generativelanguage."
    private static let method = ".GenerativeService.BidiGenerateContent"

    let gateway: GatewayParts

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        let name = request.pathParameters["method"] ?? ""
        guard name.hasPrefix(Self.service), name.hasSuffix(Self.method) else {
            return completion.refuse(
                .error(404, code: "not_found", message: "There is nothing at this path. Check the base URL."))
        }
        guard request.webSocket != nil else { return completion.refuse(.upgradeRequired) }
        if gateway.registry.isDraining { return completion.refuse(.draining) }
        guard let admission = gateway.admissions.admit(Credential(request).key) else {
            return completion.refuse(.unauthorized)
        }
        let record: SessionRecord
        do {
            // Which model it is to be, the client says only when it is connected.
            record = try gateway.registry.reserve(
                admission.owner, model: PipelineConnector.defaultModel, upstream: nil)
        } catch {
            return completion.refuse(.refusal(error))
        }
        completion(.upgrade(upgrade(record, admission)))
    }

    private func upgrade(_ record: SessionRecord, _ admission: Admissions.Admission) -> WebSocketUpgrade {
        WebSocketUpgrade(
            budget: gateway.registry.budget(of: record.owner),
            abandoned: { [gateway] in gateway.registry.end(record, closeCode: nil) }
        ) { [gateway] channel in
            let face = GeminiFace(client: channel, record: record, gateway: gateway, granted: admission.update)
            face.awaitSetup()
            return face
        }
    }
}
