import Foundation
import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Testing

/// Many peers at once, and what each of them costs. The suite runs its tests one after another: they measure.
@Suite(.serialized) struct LoadTests {
    private static func statusValue(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { Int($0.split(whereSeparator: { !$0.isNumber })[0]) } ?? 0
    }

    @Test func aThousandIdleAndAHundredBusyClientsAreServedByTheSameThreads() async throws {
        try await TestServer.run(TestServer()) { server in
            _ = try WebSocketTestClient(port: server.port)
            let threads = try Self.statusValue("Threads")
            let memory = try Self.statusValue("VmRSS")
            let start = Date()
            let idle = try (0..<1_000).map { _ in try WebSocketTestClient(port: server.port) }
            let connected = Date().timeIntervalSince(start)
            let grown = try Self.statusValue("VmRSS") - memory
            let busy = try (0..<100).map { _ in try WebSocketTestClient(port: server.port) }
            try waitUntil("all are open") { server.server.statistics.webSockets >= 1_100 }
            let echoes = Date()
            for round in 0..<20 {
                for (index, client) in busy.enumerated() { try client.send("\(round) of \(index)") }
                for (index, client) in busy.enumerated() { #expect(try client.nextText() == "\(round) of \(index)") }
            }
            let rate = 2_000 / Date().timeIntervalSince(echoes)
            print(
                "1,000 connected in \(connected) s; \(grown * 1_024 / 1_000) B each, their test clients included;",
                "\(Int(rate)) echoes/s over 100 with 1,000 idle")
            // Both ends of every connection are in this process, and other tests start threads too.
            #expect(try Self.statusValue("Threads") < threads + 100)
            try idle[999].send("not forgotten")
            #expect(try idle[999].nextText() == "not forgotten")
        }
    }

    @Test func aFloodingClientDoesNotHoldUpAnother() async throws {
        try await TestServer.run(TestServer()) { server in
            let flooders = try (0..<4).map { _ in try WebSocketTestClient(port: server.port) }
            try waitUntil("all are open") { server.handler.sockets.count == 4 }
            server.handler.sockets.forEach { $0.mute() }
            let ends = Flag()
            for (index, flooder) in flooders.enumerated() {
                let raw = flooder.raw
                var bytes: [UInt8] = []
                // Two flood with messages, two with pings, whose pongs nobody reads.
                for _ in 0..<1_000 {
                    if index < 2 {
                        bytes += flooder.frame(.text(Array("flood".utf8)))
                    } else {
                        WebSocketEncoder(role: .client).appendPing([1], mask: 3, to: &bytes)
                    }
                }
                let flood = bytes
                Thread { while !ends.isSet, (try? raw.send(flood)) != nil {} }.start()
            }
            defer { ends.set() }
            let client = try WebSocketTestClient(port: server.port)
            var times: [Double] = []
            for index in 0..<30 {
                let start = Date()
                try client.send("\(index)")
                #expect(try client.nextText() == "\(index)")
                times.append(Date().timeIntervalSince(start) * 1_000)
            }
            times.sort()
            print("echo beside four flooding clients: p50 \(times[15]) ms, worst \(times[29]) ms")
            #expect(times[29] < 2_000)
            ends.set()
            flooders.forEach { $0.raw.reset() }
        }
    }

    @Test func clientsAndServersThatComeAndGoLeaveNoDescriptorBehind() async throws {
        await #expect(processExitsWith: .success) {
            @Sendable func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            func cycle() async throws {
                try await TestServer.run(TestServer()) { server in
                    for index in 0..<100 {
                        let client = try WebSocketTestClient(port: server.port)
                        if index % 3 == 0 { client.raw.reset() }
                        if index % 3 == 1 { try client.sendClose(code: 1000) }
                        let plain = try RawClient(port: server.port)
                        #expect(try plain.request("GET", "/healthz").status == 200)
                    }
                    try waitUntil("no connection") { server.server.statistics.webSockets == 0 }
                    let sockets = server.handler.sockets
                    try waitUntil("every end") { sockets.allSatisfy { $0.closures.count == 1 } }
                }
            }
            try await cycle()
            let before = try descriptors()
            for _ in 0..<8 { try await cycle() }
            // The last reference to a drained server goes a moment after its end was told, and Foundation keeps some
            // descriptors for its threads; one lost for each server would make eight.
            try await onThread { try waitUntil("as many as before") { try descriptors() < before + 8 } }
        }
    }

    @Test func aServerThatCannotStartLeavesNoDescriptorBehind() async throws {
        await #expect(processExitsWith: .success) {
            @Sendable func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            let lab = try TLSLab()
            let other = try TLSLab()
            let mixed = TLSFiles(certificate: lab.files.certificate, key: other.files.key)
            #expect(throws: ServerError.self) { try TestServer(tls: mixed) }
            let before = try descriptors()
            for _ in 0..<20 { #expect(throws: ServerError.self) { try TestServer(tls: mixed) } }
            try await onThread { try waitUntil("as many as before") { try descriptors() < before + 8 } }
        }
    }
}
