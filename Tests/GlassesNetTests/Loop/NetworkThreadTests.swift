import Foundation
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Testing

struct NetworkThreadTests {
    @Test("However many connections there are, they run on one thread")
    func oneThread() async throws {
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            try peer.echo()
        }
        defer { server.stop() }
        var opened: [OpenedWebSocket] = []
        for _ in 0..<40 { opened.append(try await WebSocketClient.open(.to(server), receiver: TestReceiver())) }
        #expect(try Self.threads(named: "glasses-net") == 1)
        for one in opened { one.channel.close(code: 1000, reason: "") }
        try await eventually { server.openConnections == 0 }
        #expect(server.connections == 40)
    }

    private static func threads(named name: String) throws -> Int {
        var count = 0
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            let file = "/proc/self/task/\(thread)/comm"
            // A thread of another test may have ended in between.
            guard FileManager.default.fileExists(atPath: file) else { continue }
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            if text.trimmingCharacters(in: .newlines) == name { count += 1 }
        }
        return count
    }
}
