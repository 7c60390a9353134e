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

    /// Where a chat goes.
    enum ChatDestination: Sendable, Equatable {
        /// The brain of this machine's pipeline, which reports the model as `name`.
        case pipeline(name: String)
        case upstream(ChatUpstream)
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

    /// The destination for a chat with the model that a client asks for, by the same rules; names of chat models are their own.
    func chatDestination(of name: String?) -> ChatDestination? {
        guard let upstreams else { return .pipeline(name: name ?? PipelineConnector.defaultModel) }
        for candidate in [name, upstreams.chat?.defaultModel].compactMap({ $0 }) {
            if let upstream = upstreams.chat?.models[candidate] { return .upstream(upstream) }
            if candidate == PipelineConnector.defaultModel { return .pipeline(name: candidate) }
        }
        return name == nil ? .pipeline(name: PipelineConnector.defaultModel) : nil
    }

    /// The names of models that chat, in order.
    var chatNames: [String] { [PipelineConnector.defaultModel] + (upstreams?.chat?.models.keys.sorted() ?? []) }

    /// The error for the name of a chat model that does not exist.
    var unknownChatModelError: RealtimeErrorInfo { Self.unknownModelError(chatNames) }

    /// All names, those of sessions first.
    private var allNames: [String] { names + chatNames.filter { !names.contains($0) } }

    /// The names that exist for sessions, in order.
    var names: [String] { [PipelineConnector.defaultModel] + (upstreams?.modelNames ?? []) }

    /// The answer to `GET /v1/models`.
    var list: HTTPResponse { .json(["object": "list", "data": .array(allNames.map(Self.description))]) }

    /// The answer to `GET /v1/models/NAME`.
    func model(_ name: String) -> HTTPResponse {
        allNames.contains(name) ? .json(Self.description(name)) : unknownModel
    }

    /// The answer to a request for a name that does not exist.
    var unknownModel: HTTPResponse { .invalid(Self.unknownModelError(allNames), status: 404) }

    /// The error for the name of a session's model that does not exist.
    var unknownModelError: RealtimeErrorInfo { Self.unknownModelError(names) }

    private static func unknownModelError(_ names: [String]) -> RealtimeErrorInfo {
        RealtimeErrorInfo(
            message: "There is no model of that name. This gateway has: \(names.joined(separator: ", ")).",
            code: "model_not_found", param: "model")
    }

    private static func description(_ name: String) -> JSONValue {
        let owner = name == PipelineConnector.defaultModel ? "extentos" : "upstream"
        return ["id": .string(name), "object": "model", "created": 0, "owned_by": .string(owner)]
    }
}
