import CMicrohttpd
import Dispatch
import GlassesDomain
import GlassesWebSocket
import Glibc
import Synchronization

/// libmicrohttpd as this server uses it: one thread that reads requests and writes answers, TLS included; no listening
/// socket.
///
/// Its calls come on the daemon's thread, one after another, unless they say otherwise.
final class HTTPDaemon: Sendable {
    /// How far a server has come to its end.
    private enum Stage { case serving, draining, stopping }

    private let admission: Admission
    private let handler: any HTTPHandler
    private let isTLS: Bool
    private let loop: ServerLoop
    private let stage = Mutex(Stage.serving)
    private let process: DaemonProcess
    let registry: ConnectionRegistry

    /// Starts the daemon; throws ``ServerError`` when the library cannot start.
    init(
        admission: Admission, isTLS: Bool, handler: any HTTPHandler, loop: ServerLoop
    ) throws(ServerError) {
        self.admission = admission
        self.handler = handler
        self.loop = loop
        self.isTLS = isTLS
        registry = ConnectionRegistry(limits: admission.limits)
        process = DaemonProcess()
        try process.start(self, limits: admission.limits)
    }

    private var limits: ServerLimits { admission.limits }

    /// Takes a connected socket and owns it from then on; under TLS one end of a pair. [any]
    func add(_ descriptor: Int32, from remote: IPAddress, at local: IPAddress) {
        let isTaken = registry.handOver(descriptor, from: remote) { crowding in
            ClientConnection(
                descriptor: descriptor, remote: remote, local: local, isTLS: isTLS, crowding: crowding, limits: limits,
                counters: loop.counters, now: .now)
        }
        guard isTaken else {
            countCrowdedOut()
            Glibc.close(descriptor)
            return
        }
        // On failure the library has closed the socket.
        if !process.add(descriptor, isTCP: !isTLS) { registry.takeBack(descriptor) }
    }

    /// A connection was closed without a word because even the spare room was taken. [any]
    func countCrowdedOut() { loop.counters.count { $0.crowdedOut += 1 } }

    // MARK: What the daemon tells

    /// A line of the library's log. [any]
    func log(_ line: String) { process.log(line) }

    /// A connection is served from now on; returns what the library keeps for it.
    func started(_ handle: OpaquePointer) -> UnsafeMutableRawPointer? {
        guard let connection = registry.start(cmhd_socket(handle)) else { return nil }
        loop.watch(connection)
        return Unmanaged.passRetained(connection).toOpaque()
    }

    /// A connection's socket is about to be closed.
    func closed(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        let connection = Unmanaged<ClientConnection>.fromOpaque(context).takeRetainedValue()
        finish(connection.close())
        registry.remove(connection)
    }

    /// A request's first line came.
    func targetCame(_ handle: OpaquePointer, _ target: UnsafePointer<CChar>?) {
        guard let connection = client(of: handle) else { return }
        connection.beginHead(target: target.flatMap { String(validatingCString: $0) }, at: .now)
        loop.watch(connection)
    }

    /// A request ended, with its answer sent or not.
    func completed(_ handle: OpaquePointer) {
        guard let connection = client(of: handle) else { return }
        finish(connection.endRequest(at: .now))
        loop.watch(connection)
    }

    private func finish(_ exchange: Exchange?) {
        guard let exchange else { return }
        exchange.end()
        registry.leaveRequest()
    }

    private func client(of handle: OpaquePointer) -> ClientConnection? {
        cmhd_socket_context(handle).map { Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// A request's head is complete, a piece of its body came, it is whole, or its connection was resumed. The count is
    /// set to the bytes that were not taken. False ends the connection.
    func access(
        _ handle: OpaquePointer, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
        body: UnsafeRawBufferPointer, count: UnsafeMutablePointer<Int>
    ) -> Bool {
        guard let connection = client(of: handle) else { return false }
        guard let exchange = connection.exchange else {
            return begin(handle, connection, method: method, version: version)
        }
        if !body.isEmpty {
            count.pointee = 0
            return exchange.receive(body)
        }
        if exchange.isReceiving, let request = exchange.beginHandling() {
            ask(request, exchange, connection, SuspendedConnection(handle))
            return true
        }
        guard let answer = exchange.takeAnswer() else { return true }
        return ResponseSender(handle: handle, isLast: isDraining)
            .send(answer, of: exchange, on: connection, context: Unmanaged.passUnretained(self).toOpaque())
    }

    private func begin(
        _ handle: OpaquePointer, _ connection: ClientConnection, method: UnsafePointer<CChar>?,
        version: UnsafePointer<CChar>?
    ) -> Bool {
        let head = RequestHead(
            method: method.map { String(cString: $0) } ?? "", version: version.map { String(cString: $0) } ?? "",
            target: connection.endHead(at: .now), fields: RequestFields.read(handle), remote: connection.remote,
            local: connection.local, isTLS: isTLS, crowding: connection.crowding)
        let judgement = admission.judge(head)
        loop.watch(connection)
        switch judgement.verdict {
        case .accepted(let request, _):
            let exchange = Exchange(
                request: request, crossOrigin: judgement.crossOrigin, limits: limits,
                connection: SuspendedConnection(handle))
            connection.begin(exchange)
            registry.enterRequest()
            return true
        case .refused(let response):
            count(response, crowding: connection.crowding)
            connection.beginSending(isStream: false, at: .now)
            loop.watch(connection)
            return ResponseSender(handle: handle, isLast: true).send(response, adding: judgement.crossOrigin)
        }
    }

    private func count(_ refusal: HTTPResponse, crowding: Crowding?) {
        loop.counters.count { state in
            if refusal.status == 403 {
                state.foreignRequests += 1
            } else if crowding != nil {
                state.crowdedOut += 1
            }
        }
    }

    private func ask(
        _ request: HTTPRequest, _ exchange: Exchange, _ connection: ClientConnection, _ suspended: SuspendedConnection
    ) {
        connection.awaitAnswer(exchange, at: .now)
        loop.watch(connection)
        suspended.suspend()
        HandlerThreads.shared.run { [handler] in
            handler.respond(to: request, completion: HTTPCompletion(exchange: exchange))
        }
        // Whoever stops the server answers every waiting request after it has set the stage; one that came to wait
        // meanwhile is answered here.
        if stage.withLock({ $0 }) == .stopping { exchange.abandonHandler(with: .stopping) }
    }

    /// A connection's socket is free of HTTP.
    func upgraded(_ handle: OpaquePointer, _ socket: Int32, _ early: [UInt8], _ upgradeHandle: OpaquePointer) {
        guard let connection = client(of: handle), let upgrade = connection.exchange?.takeUpgrade() else {
            return cmhd_close_upgraded(upgradeHandle)
        }
        connection.upgrade()
        var one: Int32 = 1
        // The library leaves the socket's delay on. Under TLS this is one end of a pair, which has none.
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        loop.open(UpgradedSocket(descriptor: socket, handle: upgradeHandle), upgrade: upgrade, early: early)
    }

    // MARK: The end

    /// Whether the end has begun. [any]
    var isDraining: Bool { stage.withLock { $0 != .serving } }

    /// From now on every answer ends its connection. [any]
    func beginDraining() { stage.withLock { if $0 == .serving { $0 = .draining } } }

    /// Answers every waiting request and gives up every stream, so that the daemon may stop. [any]
    func abandonRequests() {
        stage.withLock { $0 = .stopping }
        for connection in registry.all {
            connection.exchange?.abandonHandler(with: .stopping)
            connection.exchange?.abandonStream()
        }
    }

    /// Ends the daemon's thread and every connection; blocks until that is done. No socket may be upgraded any more.
    /// [any]
    func stop() { process.stop() }
}

extension HTTPResponse {
    /// The answer of a server that ends before its handler answered.
    static var stopping: HTTPResponse {
        .error(
            503, code: "server_stopping", message: "The server stops. Try again in a moment.",
            headers: ["Retry-After": "1"])
    }
}
