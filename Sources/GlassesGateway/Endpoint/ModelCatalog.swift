import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import GlassesServer

/// Which model serves a session.
struct ModelCatalog: Sendable {
    /// Where a session goes.
    enum Destination: Sendable, Equatable {
        /// The pipeline of this machine, which reports the model as `name`.
        case pipeline(name: String)
        case upstream(Upstream)
    }

    private let upstreams: Upstreams?

    init(upstreams: Upstreams?) { self.upstreams = upstreams }

    /// The destination for the model that a client asks for.
    ///
    /// Without upstreams every name is the pipeline: clients insist on names of other vendors. With upstreams a name
    /// that is not listed goes to the default model, or nowhere.
    func destination(of name: String?) -> Destination? {
        guard let upstreams else { return .pipeline(name: name ?? PipelineConnector.defaultModel) }
        for candidate in [name, upstreams.defaultModel].compactMap({ $0 }) {
            if let upstream = upstreams.models[candidate] { return .upstream(upstream) }
            if candidate == PipelineConnector.defaultModel { return .pipeline(name: candidate) }
        }
        return name == nil ? .pipeline(name: PipelineConnector.defaultModel) : nil
    }

    /// The names that exist, in order.
    var names: [String] { [PipelineConnector.defaultModel] + (upstreams?.modelNames ?? []) }

    /// The answer to `GET /v1/models`.
    var list: HTTPResponse { .json(["object": "list", "data": .array(names.map(Self.description))]) }

    /// The answer to `GET /v1/models/NAME`.
    func model(_ name: String) -> HTTPResponse {
        names.contains(name) ? .json(Self.description(name)) : unknownModel
    }

    /// The answer to a request for a name that does not exist.
    var unknownModel: HTTPResponse { .invalid(unknownModelError, status: 404) }

    /// The error for a name that does not exist.
    var unknownModelError: RealtimeErrorInfo {
        RealtimeErrorInfo(
            message: "There is no model of that name. This gateway has: \(names.joined(separator: ", ")).",
            code: "model_not_found", param: "model")
    }

    private static func description(_ name: String) -> JSONValue {
        let owner = name == PipelineConnector.defaultModel ? "extentos" : "upstream"
        return ["id": .string(name), "object": "model", "created": 0, "owned_by": .string(owner)]
    }
}
