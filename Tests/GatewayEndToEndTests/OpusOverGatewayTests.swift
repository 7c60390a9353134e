import Foundation
import GlassesDomain
import GlassesServer
import GlassesTesting
import NetworkLab
import Synchronization
import Testing

@_spi(ExtentosTools) @testable import GlassesCore
@testable import GlassesGateway

/// Sessions whose sound goes as Opus messages, over real sockets and by the real clock, beside the same with events.
@Suite(.serialized) struct OpusOverGatewayTests {
    enum Way: CaseIterable {
        /// The gateway serves the session itself.
        case served
        /// The gateway relays it, with events, to another one.
        case relayed
    }

    /// What a conversation came to.
    private struct Outcome {
        var history: [HistoryEntry]
        var heardMilliseconds: Int
        var receivedMilliseconds: Int
        var loudMilliseconds: [Int]
        var cut: Int
    }

    /// A spoken turn, a typed one, and an answer that the user interrupts.
    private func converse(_ way: Way, _ audio: GatewayAudio) async throws -> Outcome {
        let serving = try LocalGateway()
        let front = way == .served ? serving : try LocalGateway.relay(to: serving.gateway.baseURL)
        let received = ReceivedAudio()
        var endpoint = GatewayEndpoint(url: try front.url, token: { LocalGateway.token })
        endpoint.audio = audio
        let live = try await LiveSession(received.observe(Extentos.connector(to: endpoint)))
        live.microphone.speak(PredictableEngines.speech(1_000))
        var said = try HistoryEntry.both("utterance 1", "You said utterance 1")
        try await wait(live, said)
        try await live.session.sendText("a typed turn")
        said += try HistoryEntry.both("a typed turn", "You said a typed turn")
        try await wait(live, said)
        let (heard, wholly) = (live.heardMilliseconds, received.milliseconds)
        try await live.session.sendText("a turn with an answer that goes on for a good while")
        #expect(await LiveSession.until(.seconds(30)) { live.isAudible })
        live.microphone.speak(PredictableEngines.speech(1_000))
        #expect(await LiveSession.until(.seconds(30)) { live.events.count { $0 == .assistantAudioFinished } >= 3 })
        let cut = live.heardMilliseconds - heard
        #expect(front.usesOpus == (audio == .opus) && !(way == .relayed && serving.usesOpus))
        await live.end()
        await front.gateway.shutDown()
        if way == .relayed { await serving.gateway.shutDown() }
        #expect(front.droppedFrames == 0)
        return Outcome(
            history: said, heardMilliseconds: heard, receivedMilliseconds: wholly,
            loudMilliseconds: serving.ear.loudMilliseconds, cut: cut)
    }

    private func wait(_ live: LiveSession, _ said: [HistoryEntry]) async throws {
        let isDone = try await LiveSession.until(.seconds(60)) { try live.history == said && !live.isAudible }
        try #require(isDone, "\(live.session.conversationHistory(limit: 100)) \(live.states) \(live.events)")
    }

    @Test("A conversation comes to the same as with events", .timeLimit(.minutes(2)), arguments: Way.allCases)
    func same(_ way: Way) async throws {
        async let plain = converse(way, .pcm)
        async let coded = converse(way, .opus)
        let (events, opus) = try await (plain, coded)
        #expect(opus.history == events.history)
        #expect(opus.receivedMilliseconds == events.receivedMilliseconds, "every sample of the answers")
        #expect(opus.heardMilliseconds == events.heardMilliseconds)
        // The ear counts loud samples, of which coding moves some over the threshold.
        let loud = zip(opus.loudMilliseconds, events.loudMilliseconds).prefix(1)
        #expect(loud.allSatisfy { abs($0 - $1) < 100 }, "\(opus.loudMilliseconds) \(events.loudMilliseconds)")
        // Both answers were cut; when, is the moment of two real conversations.
        #expect(opus.cut > 0 && opus.cut < 1_500 && events.cut > 0 && events.cut < 1_500, "\(opus.cut) \(events.cut)")
    }

    @Test("An utterance in whose middle the wire breaks is heard once and whole", .timeLimit(.minutes(2)))
    func brokenWire() async throws {
        let wire = try TroubledWire()
        defer { wire.stop() }
        let serving = try LocalGateway { $0.server.hosts = ["127.0.0.1:\(wire.port)"] }
        let port = try #require(try serving.url.port)
        wire.setTarget(UInt16(port))
        let url = try #require(URL(string: "ws://127.0.0.1:\(wire.port)/v1"))
        var endpoint = GatewayEndpoint(url: url, token: { LocalGateway.token })
        endpoint.audio = .opus
        let live = try await LiveSession(Extentos.connector(to: endpoint))
        live.microphone.speak(PredictableEngines.speech(2_000))
        _ = await LiveSession.until(.milliseconds(1_000)) { false }
        wire.strike(.reset)
        try await wait(live, try HistoryEntry.both("utterance 1", "You said utterance 1"))
        // Three quarters of it are loud; what was sent before the break is sent again.
        #expect(serving.ear.loudMilliseconds.allSatisfy { $0 > 1_300 }, "\(serving.ear.loudMilliseconds)")
        #expect(serving.started == 2 && serving.usesOpus && wire.struck == 1)
        await live.end()
        await serving.gateway.shutDown()
        #expect(serving.droppedFrames == 0)
    }
}
