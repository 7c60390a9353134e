import Foundation
import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Testing

@Suite struct TLSTests {
    @Test func requestsAndWebSocketsAreServedOverTLS() async throws {
        let lab = try await onThread { try TLSLab() }
        try await TestServer.run(TestServer(tls: lab.files)) { server in
            let plain = try lab.client(port: server.port)
            #expect(try plain.request("GET", "/healthz").text == "ok")
            #expect(try plain.request("GET", "/healthz", host: "evil.example").status == 403)
            #expect(server.handler.requests.first?.isTLS == true)

            let client = try WebSocketTestClient(lab.client(port: server.port))
            try client.send("secret")
            #expect(try client.nextText() == "secret")
            try client.sendClose(code: 1000)
            #expect(try client.next() == .close(code: 1000, reason: ""))
            #expect(try client.next() == nil)
            let socket = try #require(server.handler.sockets.first)
            try waitUntil("the report") { socket.closures.map(\.closeCode) == [1000] }
            try waitUntil("no connection") { server.server.statistics.webSockets == 0 }
        }
    }

    @Test func aMessageOverTLSIsNotHeldBack() async throws {
        let lab = try await onThread { try TLSLab() }
        try await TestServer.run(TestServer(tls: lab.files)) { server in
            let client = try WebSocketTestClient(lab.client(port: server.port))
            var times: [Double] = []
            for index in 0..<100 {
                let start = Date()
                try client.send("message \(index)")
                #expect(try client.nextText() == "message \(index)")
                times.append(Date().timeIntervalSince(start) * 1_000)
            }
            // A held back record waits for a delayed acknowledgement, 18 to 40 ms.
            let median = times.sorted()[50]
            print("TLS echo, median of 100: \(median) ms")
            #expect(median < 15)
        }
    }

    @Test func largeMessagesCrossTLSWhole() async throws {
        let lab = try await onThread { try TLSLab() }
        try await TestServer.run(TestServer(tls: lab.files)) { server in
            let client = try WebSocketTestClient(lab.client(port: server.port))
            // `s_client` leaves Nagle's algorithm on, so each 8 KiB of its own cost a delayed acknowledgement.
            let small = [UInt8](repeating: 3, count: 100_000) + [1, 2]
            try client.raw.send(client.frame(.binary(small)))
            #expect(try client.next() == .message(.binary(small)))
            let large = [UInt8](repeating: 5, count: 8_000_000) + [1, 2]
            let start = Date()
            let socket = try #require(server.handler.sockets.first)
            #expect(socket.channel.send(.binary(large), lane: .control) == .accepted)
            #expect(try client.next() == .message(.binary(large)))
            print("TLS, 8 MB to the client: \(Date().timeIntervalSince(start)) s")
        }
    }

    @Test func oldVersionsOfTLSAreRefused() async throws {
        let lab = try await onThread { try TLSLab() }
        try await TestServer.run(TestServer(tls: lab.files)) { server in
            let old = try lab.client(port: server.port, options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
            #expect(throws: ClientFailure.self) { try old.request("GET", "/healthz").status }
            let recent = try lab.client(port: server.port, options: ["-tls1_2"])
            #expect(try recent.request("GET", "/healthz").text == "ok")
        }
    }

    @Test func plainHTTPToATLSPortReachesNoHandler() async throws {
        let lab = try await onThread { try TLSLab() }
        try await TestServer.run(TestServer(tls: lab.files) { $0.headTime = .milliseconds(500) }) { server in
            let client = try RawClient(port: server.port)
            try client.send("GET /healthz HTTP/1.1\r\nHost: test.example\r\n\r\n")
            #expect(!String(decoding: try client.readToEnd(), as: UTF8.self).contains("200"))
            #expect(server.handler.requests.isEmpty)
        }
    }

    @Test func aClientThatStopsInTheHandshakeIsDropped() async throws {
        let lab = try await onThread { try TLSLab() }
        try await TestServer.run(TestServer(tls: lab.files) { $0.headTime = .milliseconds(300) }) { server in
            let client = try RawClient(port: server.port)
            try client.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
            _ = try client.readToEnd()
            try waitUntil("no connection") { server.server.statistics.connections == 0 }
        }
    }

    @Test func drainingClosesWebSocketsOverTLSWith1001() async throws {
        let lab = try await onThread { try TLSLab() }
        let server = try TestServer(tls: lab.files)
        let client = try await onThread { try WebSocketTestClient(lab.client(port: server.port)) }
        async let drained: Void = server.server.drain(within: .seconds(5), reason: "later")
        try await onThread {
            #expect(try client.next() == .close(code: 1001, reason: "later"))
            try client.sendClose(code: 1001)
            #expect(try client.next() == nil)
        }
        await drained
        #expect(server.server.statistics.connections == 0)
    }

    @Test func aPausedWebSocketOverTLSHoldsItsClientBack() async throws {
        let lab = try await onThread { try TLSLab() }
        try await TestServer.run(TestServer(tls: lab.files)) { server in
            let client = try WebSocketTestClient(lab.client(port: server.port))
            try waitUntil("the socket") { !server.handler.sockets.isEmpty }
            let socket = try #require(server.handler.sockets.first)
            socket.mute()
            socket.channel.pauseReading()
            let raw = client.raw
            let frame = client.frame(.binary([UInt8](repeating: 5, count: 1 << 20)))
            let sent = Flag()
            Thread {
                for _ in 0..<24 where (try? raw.send(frame)) == nil { return }
                sent.set()
            }.start()
            usleep(300_000)
            #expect(!sent.isSet)
            #expect(socket.received == 0)
            socket.channel.resumeReading()
            try waitUntil("the rest", seconds: 30) { socket.received == 24 && sent.isSet }
        }
    }

    @Test func clientsThatComeAndGoOverTLSLeaveNoDescriptorBehind() async throws {
        await #expect(processExitsWith: .success) {
            @Sendable func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            let lab = try TLSLab()
            @Sendable func cycle() async throws {
                let server = try TestServer(tls: lab.files) { $0.headTime = .milliseconds(500) }
                try await TestServer.run(server) { server in
                    for index in 0..<12 {
                        let client = try WebSocketTestClient(lab.client(port: server.port))
                        if index % 3 == 0 { client.raw.reset() }
                        if index % 3 == 1 { try client.sendClose(code: 1000) }
                        let half = try RawClient(port: server.port)
                        try half.send([0x16, 0x03, 0x01])
                        if index % 2 == 0 { half.reset() }
                        let plain = try lab.client(port: server.port)
                        #expect(try plain.request("GET", "/healthz").status == 200)
                    }
                    try waitUntil("no connection") { server.server.statistics.webSockets == 0 }
                }
            }
            try await cycle()
            let before = try descriptors()
            for _ in 0..<2 { try await cycle() }
            // Foundation keeps some for its child processes; one lost for each connection would make 72.
            try await onThread { try waitUntil("as many as before") { try descriptors() < before + 12 } }
        }
    }

    // MARK: Files

    private static func refusal(_ files: TLSFiles) -> ServerError? {
        #expect(throws: ServerError.self) { try TestServer(tls: files) }
    }

    @Test func everyUnusableFileIsNamed() async throws {
        let lab = try await onThread { try TLSLab() }
        let other = try await onThread { try TLSLab() }
        let good = lab.files
        let text = lab.folder + "/text.pem"
        try TLSLab.write("no certificate\n", to: text)
        let broken = lab.folder + "/broken.pem"
        try TLSLab.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: broken)
        try await onThread {
            try lab.openssl("pkey", "-in", "key.pem", "-aes256", "-passout", "pass:x", "-out", "locked.pem")
        }
        let cases: [(TLSFiles, String, String)] = [
            (TLSFiles(certificate: "/nowhere/cert.pem", key: good.key), "tls_file", "/nowhere/cert.pem"),
            (TLSFiles(certificate: good.certificate, key: "/nowhere/key.pem"), "tls_file", "/nowhere/key.pem"),
            (TLSFiles(certificate: lab.folder, key: good.key), "tls_file", lab.folder),
            (TLSFiles(certificate: text, key: good.key), "tls_certificate", text),
            (TLSFiles(certificate: good.certificate, key: good.certificate), "tls_key_exposed", good.certificate),
            (TLSFiles(certificate: good.certificate, key: lab.folder + "/locked.pem"), "tls_key", "passphrase"),
            (TLSFiles(certificate: good.certificate, key: other.files.key), "tls_mismatch", other.files.key),
            (TLSFiles(certificate: broken, key: good.key), "tls_files", "certificate"),
        ]
        for (files, code, part) in cases {
            let error = Self.refusal(files)
            #expect(error?.code == code)
            #expect(error?.description.contains(part) == true, "\(String(describing: error))")
        }
    }

    @Test func aKeyThatEveryUserMayReadIsRefused() async throws {
        let lab = try await onThread { try TLSLab() }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: lab.files.key)
        let error = Self.refusal(lab.files)
        #expect(error?.code == "tls_key_exposed")
        #expect(error?.description.contains("chmod o-rwx") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: lab.files.key)
        try await TestServer.run(TestServer(tls: lab.files)) { #expect($0.port > 0) }
    }
}
