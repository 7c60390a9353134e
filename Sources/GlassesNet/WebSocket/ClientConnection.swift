import CCurl
import GlassesDomain
import GlassesWebSocket
import Glibc

/// One WebSocket of the process on the network thread, from the name lookup to its end.
///
/// libcurl connects (through a proxy, with TLS), the upgrade is written and read by hand, and from then on a ``SocketPump``
/// moves bytes between the socket and the channel.
final class ClientConnection: LoopParticipant {
    private enum Phase {
        case connecting(CurlHandle)
        case upgrading(UpgradeExchange)
        case open(SocketPump)
        case ended
    }

    private let loop: LoopCore
    private let id: ParticipantID
    private let plan: WebSocketPlan
    private let opening: WebSocketOpening
    private let receiver: any WebSocketReceiver
    private let completion: @Sendable (Result<OpenedWebSocket, WebSocketOpenFailure>) -> Void
    private let openDeadline: MonotonicTime
    private var phase = Phase.ended

    init(
        loop: LoopCore, id: ParticipantID, plan: WebSocketPlan, opening: WebSocketOpening,
        receiver: any WebSocketReceiver,
        completion: @escaping @Sendable (Result<OpenedWebSocket, WebSocketOpenFailure>) -> Void
    ) {
        self.loop = loop
        self.id = id
        self.plan = plan
        self.opening = opening
        self.receiver = receiver
        self.completion = completion
        openDeadline = MonotonicTime.now.advanced(by: plan.openTimeout)
    }

    func begin() { connect() }

    func handle(_ event: LoopEvent) {
        switch phase {
        case .connecting(let handle): whileConnecting(handle, event)
        case .upgrading(let exchange): whileUpgrading(exchange, event)
        case .open(let pump):
            pump.handle(event)
            if pump.isFinished { end(pump.connection) }
        case .ended: break
        }
    }

    // MARK: Connecting

    private func connect() {
        guard let handle = CurlHandle() else { return fail(.noResources, nil) }
        handle.set(CURLOPT_URL, plan.target.connectURL)
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        handle.apply(plan.settings, route: plan.route)
        phase = .connecting(handle)
        loop.setDeadline(openDeadline, for: id)
        guard handle.firstFailure == CURLE_OK, loop.start(handle, for: id) else {
            return fail(NetworkError(curl: handle.firstFailure, handle: handle, host: plan.target.authority), handle)
        }
    }

    private func whileConnecting(_ handle: CurlHandle, _ event: LoopEvent) {
        switch event {
        case .woken: if opening.isCancelled { fail(.cancelled, handle) }
        case .deadlinePassed: fail(.timeout(plan.target.authority), handle)
        case .transferEnded(CURLE_OK): upgrade(handle)
        case .transferEnded(let code):
            fail(NetworkError(curl: code, handle: handle, host: plan.target.authority), handle)
        case .socketReady, .turn: break
        }
    }

    // MARK: Upgrading

    private func upgrade(_ handle: CurlHandle) {
        guard let socket = handle.activeSocket else {
            return fail(.connectionLost(plan.target.authority), handle)
        }
        plan.connected?()
        let connection = SocketConnection(
            handle: handle, socket: socket, hidesBytes: plan.usesTLS, loop: loop, id: id)
        let exchange = UpgradeExchange(connection: connection, request: plan.upgrade)
        phase = .upgrading(exchange)
        goOn(exchange)
    }

    private func whileUpgrading(_ exchange: UpgradeExchange, _ event: LoopEvent) {
        switch event {
        case .woken: if opening.isCancelled { fail(.cancelled, exchange.connection) }
        case .deadlinePassed:
            if let refusal = exchange.refusalSoFar() {
                conclude(.answered(refusal), exchange)
            } else if openDeadline <= .now {
                fail(.timeout(plan.target.authority), exchange.connection)
            } else {
                loop.setDeadline(openDeadline, for: id)
            }
        case .socketReady, .turn: goOn(exchange)
        case .transferEnded: break
        }
    }

    private func goOn(_ exchange: UpgradeExchange) {
        let outcome = exchange.goOn()
        // A refusal whose body stops half way is told before the time for opening is over.
        let patience = exchange.hasHeard ? MonotonicTime.now.advanced(by: NetworkLimits.refusalWait) : openDeadline
        loop.setDeadline(min(patience, openDeadline), for: id)
        conclude(outcome, exchange)
    }

    private func conclude(_ outcome: UpgradeExchange.Outcome, _ exchange: UpgradeExchange) {
        let host = plan.target.authority
        switch outcome {
        case .more: break
        case .lost:
            fail(.connectionLost(host), exchange.connection)
        case .malformed(let failure):
            fail(WebSocketOpenFailure(failure, host: host), exchange.connection)
        case .answered(.refused(let head, let body)):
            let refusal = WebSocketRefusal(status: head.status, fields: head.fields, body: body)
            fail(WebSocketOpenFailure(refusal, target: plan.target, now: Self.wallClock()), exchange.connection)
        case .answered(.switched(let head, let rest)):
            do throws(WebSocketHandshakeFailure) {
                open(exchange.connection, head, subprotocol: try plan.upgrade.check(head), rest)
            } catch {
                fail(WebSocketOpenFailure(error, host: host), exchange.connection)
            }
        }
    }

    // MARK: Open

    private func open(
        _ connection: SocketConnection, _ head: HTTPResponseHead, subprotocol: String?, _ rest: [UInt8]
    ) {
        // Whoever has cancelled would not know that it is open.
        if opening.isCancelled { return fail(.cancelled, connection) }
        let endpoint = WebSocketEndpoint(role: .client, limits: plan.limits, at: .now)
        let channel = ClientChannel(
            endpoint: endpoint, socket: connection.plainSocket, address: loop.address(of: id), subprotocol: subprotocol)
        let pump = SocketPump(connection: connection, channel: channel, receiver: receiver, host: plan.target.authority)
        phase = .open(pump)
        completion(.success(OpenedWebSocket(channel: channel, subprotocol: subprotocol, fields: head.fields)))
        pump.start(rest)
        if pump.isFinished { end(connection) }
    }

    // MARK: The end

    private func fail(_ error: NetworkError, _ connection: SocketConnection) {
        fail(WebSocketOpenFailure(error), connection)
    }

    private func fail(_ failure: WebSocketOpenFailure, _ connection: SocketConnection) {
        end(connection)
        completion(.failure(failure))
    }

    private func fail(_ error: NetworkError, _ handle: CurlHandle?) {
        phase = .ended
        if let handle { loop.end(handle) }
        loop.retire(id)
        completion(.failure(WebSocketOpenFailure(error)))
    }

    /// Seconds since 1970, for a `Retry-After` that is a date.
    private static func wallClock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func end(_ connection: SocketConnection) {
        phase = .ended
        connection.close()
        loop.retire(id)
    }
}
