import Foundation
import GlassesDomain
import NetworkLab
import Synchronization

/// A chat endpoint on a real socket whose every byte a test decides.
final class ChatEndpointLab: Sendable {
    /// What a socket is made of.
    enum Kind: String, Sendable, CaseIterable {
        case tcp
        case tls
        case unix
    }

    /// A request as it came.
    struct Arrival: Sendable {
        let head: String
        let body: JSONValue
    }

    /// One request in the hands of a script.
    struct Exchange {
        let peer: ScriptedPeer
        /// Which request this is, from 0.
        let number: Int
        let body: JSONValue

        /// The head of a stream of events that ends with its connection.
        func begin(_ status: String = "200 OK", _ fields: [String] = ["Content-Type: text/event-stream"]) throws {
            try peer.send((["HTTP/1.1 \(status)"] + fields + ["Connection: close", "", ""]).joined(separator: "\r\n"))
        }

        /// One event.
        func send(_ chunk: JSONValue) throws { try peer.send("data: \(chunk.jsonText)\n\n") }

        /// Some words.
        func say(_ words: String) throws { try send(ChatEndpointLab.words(words)) }

        /// The end of an answer.
        func end(_ reason: String = "stop") throws {
            try send(["choices": [["index": 0, "delta": [:], "finish_reason": .string(reason)]]])
            try peer.send("data: [DONE]\n\n")
        }

        /// A whole answer.
        func answer(_ words: String) throws {
            try begin()
            try say(words)
            try end()
        }
    }

    private final class Record: Sendable {
        let arrivals = Mutex<[Arrival]>([])
    }

    let endpoint: BrainEndpoint
    private let server: ScriptedServer
    private let folder: URL?
    private let record = Record()

    /// The requests so far.
    var arrivals: [Arrival] { record.arrivals.withLock { $0 } }

    init(
        _ kind: Kind = .tcp, model: String? = "m", key: String? = "sk-endpoint-1", certificates: CertificateLab? = nil,
        _ script: @escaping @Sendable (Exchange) throws -> Void
    ) throws {
        let record = record
        let serve: @Sendable (ScriptedPeer) throws -> Void = { peer in
            let head = try peer.receiveHead()
            let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
            let body = try JSONValue(jsonText: try peer.receive(length ?? 0))
            let number = record.arrivals.withLock { arrivals in
                arrivals.append(Arrival(head: head, body: body))
                return arrivals.count - 1
            }
            try script(Exchange(peer: peer, number: number, body: body))
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "brain-\(UUID().uuidString.prefix(8))")
        let path = folder.appendingPathComponent("chat.sock").path
        var authorities: String?
        switch kind {
        case .tcp: (server, self.folder) = (try ScriptedServer(serve), nil)
        case .tls:
            guard let certificates else { throw SocketClient.Missing(description: "certificates") }
            authorities = certificates.authority
            (server, self.folder) = (try ScriptedServer(certificate: certificates.server, serve), nil)
        case .unix:
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            (server, self.folder) = (try ScriptedServer(path: path, serve), folder)
        }
        guard let url = URL(string: kind == .unix ? "unix:\(path)" : "\(server.httpURL)/v1") else {
            throw SocketClient.Missing(description: "a URL")
        }
        endpoint = BrainEndpoint(url: url, model: model, key: key, authorities: authorities)
    }

    /// A chunk with some words.
    static func words(_ text: String) -> JSONValue {
        ["model": "m-served", "choices": [["index": 0, "delta": ["content": .string(text)], "finish_reason": nil]]]
    }

    func stop() {
        server.stop()
        guard let folder else { return }
        do { try FileManager.default.removeItem(at: folder) } catch { print("\(folder.path) stays: \(error)") }
    }
}

/// Waits for a condition, 60 s at most.
func waitUntil(_ what: String, _ condition: @Sendable () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw SocketClient.Missing(description: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}
