import GlassesDialects
import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import GlassesServer
import GlassesWebSocket

/// `GET /v1/realtime`: sessions over WebSocket.
struct RealtimeEndpoint: HTTPHandler {
    let gateway: GatewayParts

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        guard request.webSocket != nil else { return completion.refuse(.upgradeRequired) }
        if gateway.registry.isDraining { return completion.refuse(.draining) }
        let credential = Credential(request)
        guard let admission = gateway.admissions.admit(credential.key) else {
            return completion.refuse(.unauthorized)
        }
        if let problem = Self.problem(in: request) { return completion.refuse(.invalid(problem)) }
        let model = Self.model(in: request) ?? admission.update?.model
        switch gateway.catalog.destination(of: model) {
        case nil: completion.refuse(gateway.catalog.unknownModel)
        case .pipeline(let model): serve(model, admission, credential, completion)
        case .upstream(let upstream):
            relay(model ?? upstream.model, to: upstream, admission, credential, completion)
        }
    }

    private func serve(
        _ model: String, _ admission: Admissions.Admission, _ credential: Credential, _ completion: HTTPCompletion
    ) {
        switch gateway.pipelineSession(model: model, admission.update) {
        case .failure(let error): completion.refuse(.invalid(error))
        case .success(let session):
            guard let record = reserve(admission, model: model, upstream: nil, credential, completion)
            else { return }
            completion(.upgrade(pipelineUpgrade(session, record, credential)))
        }
    }

    private func relay(
        _ model: String, to upstream: Upstream, _ admission: Admissions.Admission, _ credential: Credential,
        _ completion: HTTPCompletion
    ) {
        guard let record = reserve(admission, model: model, upstream: upstream, credential, completion) else { return }
        let session = RelaySession(
            to: upstream, update: admission.update, record: record, registry: gateway.registry)
        session.open(
            subprotocol: credential.subprotocol, budget: gateway.registry.budget(of: record.owner),
            registry: gateway.registry, completion: completion)
    }

    private func pipelineUpgrade(
        _ session: RealtimeSession, _ record: SessionRecord, _ credential: Credential
    ) -> WebSocketUpgrade {
        WebSocketUpgrade(
            subprotocol: credential.subprotocol, headers: GatewayLimits.upgradeHeaders,
            budget: gateway.registry.budget(of: record.owner),
            abandoned: { [gateway] in gateway.registry.end(record, closeCode: nil) }
        ) { [gateway] socket in
            let client = GatewaySocket(socket, record)
            var session = session
            session.expiresAt = gateway.admissions.unixTime + Int(gateway.sessionLength.seconds)
            let served = PipelineSession(
                channel: client.channel, connection: gateway.pipeline.open(session), record: record,
                registry: gateway.registry
            )
            served.start(length: gateway.sessionLength, clock: gateway.clock)
            return client.receiver(for: served)
        }
    }

    /// Makes room for a session, or answers why there is none.
    private func reserve(
        _ admission: Admissions.Admission, model: String, upstream: Upstream?, _ credential: Credential,
        _ completion: HTTPCompletion
    ) -> SessionRecord? {
        do {
            return try gateway.registry.reserve(
                admission.owner, model: model, upstream: upstream?.host, isOpus: credential.speaksOpus)
        } catch {
            completion.refuse(.refusal(error))
            return nil
        }
    }

    /// What the protocol has and this gateway does not.
    private static func problem(in request: HTTPRequest) -> RealtimeErrorInfo? {
        if let intent = request.queryValue("intent"), intent != "conversation" {
            return .invalidRequest("intent", "This gateway holds conversations only. Leave intent out.")
        }
        if request.queryValue("call_id") != nil {
            return .invalidRequest("call_id", "This gateway has no WebRTC or SIP calls. Send model instead of call_id.")
        }
        return nil
    }

    /// The model that is asked for, by the name of either vendor; nil when there is none.
    private static func model(in request: HTTPRequest) -> String? {
        [request.queryValue("model"), request.queryValue("deployment")].compactMap { $0 }.first { !$0.isEmpty }
    }
}

/// A client's socket, whose audio is coded if that was agreed on.
struct GatewaySocket {
    /// What a session sends through.
    let channel: any WebSocketChannel
    private let opus: OpusServerChannel?

    init(_ socket: any WebSocketChannel, _ record: SessionRecord) {
        opus =
            record.session.isOpus
            ? OpusServerChannel(socket, highWater: GatewayLimits.outboundHighWater, refused: record.countDropped) : nil
        channel = opus ?? socket
    }

    /// What hears the socket for `session`.
    func receiver(for session: any WebSocketReceiver) -> any WebSocketReceiver {
        opus?.receiver(for: session) ?? session
    }
}

extension HTTPCompletion {
    /// Answers with a refusal; one that comes too late is of no use to anyone.
    func refuse(_ response: HTTPResponse) { callAsFunction(response) }
}
