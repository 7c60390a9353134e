import GlassesDomain
import GlassesRealtime
import GlassesServer
import GlassesWebSocket

/// `GET` and `PUT /v1/memory`: the profile of a client's user, `{"profile": {…}}`, for each token and each value of
/// `x-extentos-end-user-id`.
struct MemoryEndpoint: HTTPHandler {
    /// The header that tells a client's users apart.
    static let userHeader = "x-extentos-end-user-id"

    let gateway: GatewayParts

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        completion(response(to: request))
    }

    private func response(to request: HTTPRequest) -> HTTPResponse {
        guard let admission = gateway.admissions.admit(Credential(request).key), !admission.isClientSecret else {
            return .unauthorized
        }
        guard let memory = gateway.memory else {
            return .error(
                404, code: "memory_disabled", message: "This gateway remembers nothing. Start it with --memory FOLDER.")
        }
        let user = request.headers.values(Self.userHeader).first ?? ""
        guard user.utf8.count <= GatewayLimits.memoryUserId else {
            return .invalid(
                .invalidRequest(Self.userHeader, "Send at most \(GatewayLimits.memoryUserId) bytes."))
        }
        let owner = gateway.admissions.name(of: admission.owner)
        do {
            try gateway.registry.spend(admission.owner)
            guard request.method == "PUT" else {
                return .json(["profile": try memory.profile(of: owner, user: user)])
            }
            let profile = try Self.profile(request.body)
            try memory.save(profile, of: owner, user: user)
            return .json(["profile": profile])
        } catch let refusal as Quota.Refusal {
            return .refusal(refusal)
        } catch let error as RealtimeErrorInfo {
            return .invalid(error)
        } catch let refusal as GatewayMemory.Refusal {
            return .refusal(refusal)
        } catch {
            return .error(500, code: "memory_unavailable", message: "The memory cannot be used. Tell the operator.")
        }
    }

    private static func profile(_ body: [UInt8]) throws(RealtimeErrorInfo) -> JSONValue {
        let tree: JSONValue
        do {
            tree = try JSONValue(jsonText: body)
        } catch {
            throw .invalidRequest(nil, "Send a JSON object as the body: \(error).", code: "invalid_json")
        }
        guard let profile = tree["profile"], profile.objectValue != nil else {
            throw .invalidRequest("profile", "Send an object.", code: "missing_required_parameter")
        }
        return profile
    }
}

extension HTTPResponse {
    fileprivate static func refusal(_ refusal: GatewayMemory.Refusal) -> HTTPResponse {
        switch refusal {
        case .tooLarge:
            .error(
                413, code: "profile_too_large",
                message: "A profile has at most \(GatewayLimits.memoryProfile / 1_024) KiB. Send a shorter one.")
        case .tooMany:
            .error(
                507, code: "memory_quota_exceeded",
                message:
                    "This token has \(GatewayLimits.memoryProfiles) profiles, which is the most. Tell the operator.")
        case .unusable(let code):
            .error(
                500, code: "memory_unavailable",
                message: "The memory cannot be used (\(code)). Tell the operator; nothing was changed.")
        }
    }
}
