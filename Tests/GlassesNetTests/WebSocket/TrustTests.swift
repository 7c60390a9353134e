import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Testing

/// Which certificate a server shows, and whom the client trusts.
enum TrustCase: String, CaseIterable, CustomTestStringConvertible {
    case unknownAuthority, systemAuthorities, wrongName, expired, missingFile, notACertificate, plainServer
    var testDescription: String { rawValue }

    func certificate(_ lab: CertificateLab) -> LabCertificate? {
        switch self {
        case .unknownAuthority, .systemAuthorities, .missingFile, .notACertificate: lab.server
        case .wrongName: lab.wrongName
        case .expired: lab.expired
        case .plainServer: nil
        }
    }

    func authorities(_ lab: CertificateLab) -> String? {
        switch self {
        case .unknownAuthority: lab.otherAuthority
        case .systemAuthorities: nil
        case .wrongName, .expired, .plainServer: lab.authority
        case .missingFile: lab.authority + ".missing"
        case .notACertificate: lab.notACertificate
        }
    }

    var code: String {
        switch self {
        case .unknownAuthority, .systemAuthorities, .wrongName, .expired: "certificate_refused"
        case .missingFile, .notACertificate: "ca_file_unusable"
        case .plainServer: "tls_failed"
        }
    }

    /// What the sentence must say.
    var word: String {
        switch self {
        case .unknownAuthority, .systemAuthorities: "nobody that this machine trusts"
        case .wrongName: "another name"
        case .expired: "expired"
        case .missingFile, .notACertificate: "certificate authorities"
        case .plainServer: "TLS"
        }
    }
}

struct TrustTests {
    @Test(
        "A server that cannot be trusted is refused with the reason, and is sent nothing", arguments: TrustCase.allCases
    )
    func refused(trust: TrustCase) async throws {
        let lab = try await CertificateLab.shared()
        let (heard, hear) = AsyncStream.makeStream(of: String?.self)
        let server = try ScriptedServer(certificate: trust.certificate(lab)) { peer in
            if trust == .plainServer {
                // What comes is a TLS greeting; the answer is no TLS.
                _ = try peer.receiveSome()
                try peer.send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                return
            }
            hear.yield(try peer.receiveSome().map { String(decoding: $0, as: UTF8.self) })
        }
        defer { server.stop() }
        let request = WebSocketRequest(
            url: URL(string: "wss://127.0.0.1:\(server.port)/v1/realtime")!,
            fields: HTTPFields([("Authorization", "Bearer SECRET")]),
            settings: NetworkSettings(caFile: trust.authorities(lab), proxy: .none))
        let failure = try await RefusalTests.failure(request)
        #expect(failure.closure.code == trust.code)
        #expect(failure.closure.message.contains(trust.word))
        try await eventually { server.openConnections == 0 }
        hear.finish()
        for await bytes in heard { #expect(bytes == nil) }
    }

    @Test("A name of the certificate is as good as its address")
    func trustedByName() async throws {
        let lab = try await CertificateLab.shared()
        let server = try ScriptedServer(certificate: lab.server) { peer in
            try peer.acceptUpgrade()
            try peer.echo()
        }
        defer { server.stop() }
        let request = WebSocketRequest(
            url: URL(string: "wss://localhost:\(server.port)")!,
            settings: NetworkSettings(caFile: lab.authority, proxy: .none))
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(request, receiver: receiver)
        _ = opened.channel.send(.text("secret"), lane: .control)
        #expect(try await receiver.messages(1) == [.text("secret")])
        opened.channel.close(code: 1000, reason: "")
    }

    @Test("A host that refuses, and a name that has no address, are told apart")
    func unreachable() async throws {
        let port = try #require(LoopbackListener()?.port)
        let refused = WebSocketRequest(
            url: URL(string: "ws://127.0.0.1:\(port)")!, settings: NetworkSettings(proxy: .none))
        #expect(try await RefusalTests.failure(refused).closure.code == "connection_refused")
        let nameless = WebSocketRequest(
            url: URL(string: "ws://no-such-host.invalid")!, settings: NetworkSettings(proxy: .none))
        #expect(try await RefusalTests.failure(nameless).closure.code == "name_not_resolved")
    }
}
