import GlassesDomain
import GlassesRealtime

/// The body of `POST /v1/realtime/client_secrets`, or of its beta form `POST /v1/realtime/sessions`.
struct ClientSecretRequest: Equatable {
    /// For how many seconds the secret may start sessions.
    let lifetime: Int
    /// The configuration for its sessions; nil when the body has none.
    let update: SessionUpdate?

    /// Reads the GA form; an empty body means all defaults.
    init(clientSecrets body: [UInt8]) throws(RealtimeErrorInfo) {
        let members = try Self.object(body)
        lifetime = try Self.lifetime(members["expires_after"])
        let session = members["session"] ?? .null
        update = session.isNull ? nil : try Self.update(session)
    }

    /// Reads the beta form, whose body is the session itself.
    init(legacySession body: [UInt8]) throws(RealtimeErrorInfo) {
        lifetime = ClientSecrets.legacyLifetime
        update = try Self.update(.object(try Self.object(body)))
    }

    private static func object(_ body: [UInt8]) throws(RealtimeErrorInfo) -> [String: JSONValue] {
        if body.isEmpty { return [:] }
        let tree: JSONValue
        do {
            tree = try JSONValue(jsonText: body)
        } catch {
            throw .invalidRequest(nil, "Send a JSON object as the body: \(error).", code: "invalid_json")
        }
        guard let members = tree.objectValue else {
            throw .invalidRequest(nil, "Send a JSON object as the body.", code: "invalid_json")
        }
        return members
    }

    private static func lifetime(_ value: JSONValue?) throws(RealtimeErrorInfo) -> Int {
        guard let value, !value.isNull else { return ClientSecrets.defaultLifetime }
        guard let members = value.objectValue else {
            throw .invalidRequest("expires_after", "Send an object.", code: "invalid_type")
        }
        if let anchor = members["anchor"], anchor != "created_at" {
            throw .invalidRequest("expires_after.anchor", "Send \"created_at\".")
        }
        guard let seconds = members["seconds"], !seconds.isNull else { return ClientSecrets.defaultLifetime }
        guard let number = seconds.intValue, let count = Int(exactly: number), ClientSecrets.lifetimes.contains(count)
        else {
            let range = ClientSecrets.lifetimes
            throw .invalidRequest(
                "expires_after.seconds", "Send \(range.lowerBound) to \(range.upperBound) seconds.")
        }
        return count
    }

    /// Reads a session by the decoder of `session.update`, so that both take the same fields and name the same errors.
    private static func update(_ session: JSONValue) throws(RealtimeErrorInfo) -> SessionUpdate {
        let message: JSONValue = ["type": "session.update", "session": session]
        let event: ClientEvent
        do {
            event = try RealtimeCodec.decodeClientEvent(Array(message.jsonText.utf8)).event
        } catch {
            throw RealtimeErrorInfo(error)
        }
        guard case .sessionUpdate(var update) = event else {
            throw .invalidRequest("session", "Send a session object.")
        }
        update.type = update.type ?? .realtime
        return update
    }
}
