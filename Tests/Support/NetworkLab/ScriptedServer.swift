import Foundation
import Synchronization

/// A TCP or TLS server on a free port of 127.0.0.1 that does what a test's script says.
///
/// The script runs for each connection on a thread of its own; when it returns or throws, the connection is closed.
/// Errors of scripts end their connection and nothing else: the test looks at what its client saw.
public final class ScriptedServer: Sendable {
    private struct State {
        var isStopped = false
        var connections = 0
        var open: Set<Int32> = []
    }

    private let listener: LoopbackListener
    private let state = Mutex(State())
    private let isSecure: Bool

    /// Starts; with a certificate it speaks TLS. `handshakes` false leaves TLS clients without any answer. `receiveBuffer` is
    /// what the kernel takes in for a script that does not read, in bytes; nil leaves it to the kernel. With a `path` it listens on
    /// a Unix socket there, which the caller removes.
    public init(
        certificate: LabCertificate? = nil, handshakes: Bool = true, receiveBuffer: Int32? = nil, path: String? = nil,
        _ script: @escaping @Sendable (ScriptedPeer) throws -> Void
    ) throws {
        let listener = path.map { LoopbackListener(path: $0) } ?? LoopbackListener(receiveBuffer: receiveBuffer)
        guard let listener else { throw LabError.setup("listen") }
        self.listener = listener
        isSecure = certificate != nil || !handshakes
        Thread.detachNewThread { [self] in
            while let (socket, index) = acceptNext() {
                Thread.detachNewThread { [self] in
                    serve(socket, index, handshakes ? certificate : nil, script)
                }
            }
        }
    }

    /// The port.
    public var port: UInt16 { listener.port }
    /// `ws://127.0.0.1:PORT` or `wss://…`, without a path.
    public var webSocketURL: String { "\(isSecure ? "wss" : "ws")://127.0.0.1:\(port)" }
    /// `http://127.0.0.1:PORT` or `https://…`, without a path.
    public var httpURL: String { "\(isSecure ? "https" : "http")://127.0.0.1:\(port)" }
    /// How many connections were accepted.
    public var connections: Int { state.withLock { $0.connections } }
    /// How many of them are open.
    public var openConnections: Int { state.withLock { $0.open.count } }

    /// Ends all connections and threads; called by every test that made a server.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func acceptNext() -> (socket: Int32, index: Int)? {
        while true {
            let socket = accept(listener.descriptor, nil, nil)
            if socket < 0 && errno == EINTR { continue }
            guard socket >= 0 else { return nil }
            let index = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                defer { state.connections += 1 }
                state.open.insert(socket)
                return state.connections
            }
            guard let index else {
                close(socket)
                return nil
            }
            return (socket, index)
        }
    }

    private func serve(
        _ socket: Int32, _ index: Int, _ certificate: LabCertificate?,
        _ script: @Sendable (ScriptedPeer) throws -> Void
    ) {
        defer {
            // Under the lock, so that stop() never meets a number that belongs to somebody else by then.
            state.withLock { state in
                state.open.remove(socket)
                close(socket)
            }
        }
        Self.prepare(socket)
        do {
            let transport: any ByteTransport =
                try certificate.map { try TLSTransport(socket: socket, certificate: $0) { self.isStopped } }
                ?? PlainTransport(socket: socket)
            let peer = ScriptedPeer(socket: socket, index: index, transport: transport) { self.isStopped }
            try script(peer)
        } catch {
            // The connection ends; that is what a test sees of it.
        }
    }

    private static func prepare(_ socket: Int32) {
        var moment = timeval(tv_sec: 0, tv_usec: 20_000)
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &moment, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &moment, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
}
