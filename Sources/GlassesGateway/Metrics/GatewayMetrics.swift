import GlassesServer

/// What a gateway has counted since its start. Pure.
///
/// Labels have few values, whatever clients send: a model's name is not among them.
struct GatewayMetrics: Sendable {
    /// Who serves a session.
    enum Service: String, CaseIterable {
        case pipeline
        case relay

        init(_ session: GatewaySession) { self = session.upstream == nil ? .pipeline : .relay }
    }

    private var active: [Service: Int] = [:]
    private var started: [Service: Int] = [:]
    /// By close code; of the private codes (4000…4999), which peers choose freely, the hundreds only.
    private var ended: [UInt16: Int] = [:]
    private var seconds = Histogram(bounds: [1, 10, 60, 300, 900, 1_800, 3_600])
    private var received = 0
    private var sent = 0
    private var opusSessions = 0
    private var droppedFrames = 0
    /// By the upstream's host, of which the operator has named each.
    private var upstreamRefusals: [String: Int] = [:]
    private var refusals: [Quota.Refusal.Kind: Int] = [:]

    /// Counts what happened.
    mutating func count(_ event: GatewayEvent) {
        switch event {
        case .sessionStarted(let session):
            active[Service(session), default: 0] += 1
            started[Service(session), default: 0] += 1
            if session.isOpus { opusSessions += 1 }
        case .sessionEnded(let session, let summary):
            active[Service(session), default: 0] -= 1
            ended[Self.bounded(summary.closeCode), default: 0] += 1
            seconds.add(summary.seconds)
            received += summary.received
            sent += summary.sent
            droppedFrames += summary.droppedFrames
        case .upstreamRefused(_, let host, _): upstreamRefusals[host, default: 0] += 1
        }
    }

    /// Counts a request that a limit of the gateway or of a token refused.
    mutating func count(_ refusal: Quota.Refusal) { refusals[refusal.kind, default: 0] += 1 }

    /// Everything as text, with what the server and the process say of themselves.
    func text(isDraining: Bool, server: ServerStatistics?, process: ProcessFacts?) -> String {
        var text = MetricsText()
        addSessions(to: &text)
        text.add(
            "extentos_gateway_draining", .gauge, "Whether new sessions are refused.", isDraining ? 1 : 0)
        if let server { addServer(server, to: &text) }
        if let process { process.add(to: &text) }
        return text.text
    }

    private func addSessions(to text: inout MetricsText) {
        text.add(
            "extentos_gateway_sessions_active", .gauge, "Sessions that are open.", label: "service",
            Self.byService(active))
        text.add(
            "extentos_gateway_sessions_total", .counter, "Sessions that were opened.", label: "service",
            Self.byService(started))
        text.add(
            "extentos_gateway_sessions_ended_total", .counter, "Sessions that ended, by their close code.",
            label: "code", Dictionary(uniqueKeysWithValues: ended.map { ("\($0.key)", Double($0.value)) }))
        text.add("extentos_gateway_session_seconds", "How long ended sessions lasted.", seconds)
        text.add(
            "extentos_gateway_messages_total", .counter, "Messages of ended sessions.", label: "direction",
            ["received": Double(received), "sent": Double(sent)])
        text.add(
            "extentos_gateway_opus_sessions_total", .counter, "Sessions whose audio travels as Opus.",
            Double(opusSessions))
        text.add(
            "extentos_gateway_opus_frames_dropped_total", .counter,
            "Binary frames of ended sessions that could not be taken.", Double(droppedFrames))
        text.add(
            "extentos_gateway_upstream_refusals_total", .counter, "Sessions and chats that an upstream refused.",
            label: "host", upstreamRefusals.mapValues(Double.init))
        text.add(
            "extentos_gateway_refusals_total", .counter, "Requests that a limit refused.", label: "limit",
            Dictionary(
                uniqueKeysWithValues: Quota.Refusal.Kind.allCases.map { ($0.rawValue, Double(refusals[$0] ?? 0)) }))
    }

    private func addServer(_ server: ServerStatistics, to text: inout MetricsText) {
        text.add(
            "extentos_server_connections", .gauge, "TCP connections that are open.", Double(server.connections))
        text.add("extentos_server_websockets", .gauge, "WebSockets that are open.", Double(server.webSockets))
        let faults = [
            "foreign_request": server.foreignRequests, "crowded_out": server.crowdedOut,
            "answer_timeout": server.answerTimeouts, "slow_reader": server.slowReaders,
            "silent_peer": server.silentPeers,
        ]
        text.add(
            "extentos_server_faults_total", .counter, "Requests and connections that the server refused or gave up.",
            label: "fault", faults.mapValues(Double.init))
    }

    private static func byService(_ counts: [Service: Int]) -> [String: Double] {
        Dictionary(uniqueKeysWithValues: Service.allCases.map { ($0.rawValue, Double(counts[$0] ?? 0)) })
    }

    private static func bounded(_ code: UInt16) -> UInt16 { code < 4_000 ? code : code / 100 * 100 }
}
