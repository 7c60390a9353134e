import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import GlassesServer

/// `POST /v1/realtime/client_secrets`, and its beta form `POST /v1/realtime/sessions`.
struct ClientSecretsEndpoint: HTTPHandler {
    /// The two forms of the endpoint.
    enum Form {
        case clientSecrets
        case legacySession
    }

    let form: Form
    let gateway: GatewayParts

    func respond(to request: HTTPRequest, completion: HTTPCompletion) { completion(response(to: request)) }

    private func response(to request: HTTPRequest) -> HTTPResponse {
        guard let admission = gateway.admissions.admit(Credential(request).key), !admission.isClientSecret else {
            return .unauthorized
        }
        do {
            try gateway.registry.spend(admission.owner)
            return try answer(try asked(request.body), owner: admission.owner)
        } catch let refusal as Quota.Refusal {
            return .refusal(refusal)
        } catch let error as RealtimeErrorInfo {
            return .invalid(error)
        } catch {
            return .later(
                429, seconds: ClientSecrets.lifetimes.lowerBound, code: "too_many_client_secrets",
                message: "Too many client secrets are valid. Wait until some have expired.")
        }
    }

    private func asked(_ body: [UInt8]) throws(RealtimeErrorInfo) -> ClientSecretRequest {
        switch form {
        case .clientSecrets: try ClientSecretRequest(clientSecrets: body)
        case .legacySession: try ClientSecretRequest(legacySession: body)
        }
    }

    private func answer(_ asked: ClientSecretRequest, owner: Owner) throws -> HTTPResponse {
        var session = try gateway.configuration(asked.update).get()
        session.id = PipelineConnector.randomId("sess_")
        // The moment of a session is not known before it begins.
        session.expiresAt = 0
        let made = try gateway.admissions.makeSecret(owner: owner, update: asked.update, lifetime: asked.lifetime)
        let secret: JSONValue = ["value": .string(made.value), "expires_at": .int(Int64(made.expiresAt))]
        switch form {
        case .clientSecrets: return .json(secret.adding("session", session.json))
        case .legacySession: return .json(session.json.adding("client_secret", secret))
        }
    }
}

extension JSONValue {
    /// An object with one more member.
    fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
        .object((objectValue ?? [:]).merging([name: value]) { _, new in new })
    }
}
