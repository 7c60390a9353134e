import GlassesDomain
import GlassesServer

/// `GET /v1/models` and `GET /v1/models/NAME`.
struct ModelsEndpoint: HTTPHandler {
    let gateway: GatewayParts

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        guard let admission = gateway.admissions.admit(Credential(request).key), !admission.isClientSecret else {
            return completion.refuse(.unauthorized)
        }
        let name = request.pathParameters["model"]
        completion(name.map(gateway.catalog.model) ?? gateway.catalog.list)
    }
}

/// `GET /healthz`, for load balancers; it needs no key.
struct HealthEndpoint: HTTPHandler {
    let gateway: GatewayParts

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        let isDraining = gateway.registry.isDraining
        completion(.json(["status": isDraining ? "draining" : "ok"], status: isDraining ? 503 : 200))
    }
}
