import Foundation
import GlassesDomain
import GlassesWebSocket
import Testing

@testable import GlassesGateway

/// What costs much time in a debug build, one after another: a session that is starved for 8 s loses its client.
@Suite("Heavy traffic", .serialized, .timeLimit(.minutes(5)))
struct HeavyTrafficTests {
    @Test("a message of 21 MiB is taken and one of 22 MiB ends the connection with 1009")
    func size() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        let frame = #"{"type":"fly.away","padding":""}"#
        client.send(frame.replacingOccurrences(of: "\"\"", with: "\"" + padding((21 << 20) - frame.utf8.count) + "\""))
        #expect(try await client.next("error")["error"]?["param"] == "type")
        client.send(padding(22 << 20))
        #expect(try await client.closure().closeCode == 1_009)
    }

    @Test("what a client sends does not come back longer than clients receive")
    func echo() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        let long = padding(9 << 20)
        client.send(["type": "session.update", "session": ["type": "realtime", "instructions": .string(long)]])
        #expect(try await client.next("error")["error"]?["param"] == "session")
        var item = SocketClient.message("hi").objectValue ?? [:]
        item["extra"] = .string(long)
        client.send(["type": "conversation.item.create", "item": .object(item)])
        #expect(try await client.next("error")["error"]?["code"] == "event_too_large")
        client.close()
    }

    private func padding(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test("a client that floods is held back and served, not dropped")
    func flood() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send([
            "type": "session.update", "session": ["type": "realtime", "audio": ["input": ["turn_detection": nil]]],
        ])
        // Three times the messages that end a session which cannot hold its client back.
        for index in 0..<15_000 {
            client.send(#"{"type":"input_audio_buffer.append","audio":"AAAAAAAA"}"#)
            if index % 1_500 == 1_499 { client.send(["type": "input_audio_buffer.clear"]) }
        }
        for _ in 0..<10 { try await client.next("input_audio_buffer.cleared") }
        client.close()
    }

    @Test("a client that does not read holds the synthesiser back and then gets everything")
    func slowReader() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.channel.pauseReading()
        let words = String(repeating: "word ", count: 3_000)
        client.say(words)
        try await Task.sleep(for: .milliseconds(500))
        client.channel.resumeReading()
        let events = try await client.events(until: "response.done")
        let audio = events.filter { $0["type"] == "response.output_audio.delta" }
            .compactMap { $0["delta"]?.stringValue?.count }.reduce(0, +)
        #expect(events.last?["response"]?["status"] == "completed")
        // At least 10 ms of 24 kHz for each character, in base64.
        #expect(audio > 14_000 * 480 * 4 / 3)
        client.close()
    }
}
