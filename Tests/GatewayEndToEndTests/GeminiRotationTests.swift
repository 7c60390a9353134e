import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import GlassesWebSocket
import Testing

@_spi(ExtentosTools) @testable import GlassesCore

/// A Gemini Live server that goes away, over real sockets: it is followed by its handle, and where that cannot be, the conversation is
/// told anew.
@Suite(.serialized) struct GeminiRotationTests {
    private func live(_ server: LiveServer, _ received: ReceivedAudio) async throws -> LiveSession {
        let connector = Extentos.connector(to: GatewayEndpoint(url: try server.url))
        return try await LiveSession(received.observe(connector), model: "live-model") {
            $0.historyCap = 1_000
        }
    }

    private func typed(_ text: String, _ live: LiveSession, _ said: inout [HistoryEntry]) async throws {
        try await live.session.sendText(text)
        said += try HistoryEntry.both(text, "You said \(text)")
        let expected = said
        let isDone = try await LiveSession.until(.seconds(60)) { try live.history == expected && !live.isAudible }
        try #require(isDone, "\(live.session.conversationHistory(limit: 1_000)) \(live.states) \(live.events)")
    }

    @Test(.timeLimit(.minutes(2)))
    func aServerThatGoesAwayIsFollowedByItsNewestHandleAndNothingIsSaidTwice() async throws {
        let server = try LiveServer()
        let received = ReceivedAudio()
        let live = try await live(server, received)
        var said: [HistoryEntry] = []
        try await typed("one", live, &said)
        try await typed("two", live, &said)
        let first = try #require(server.connections.first)
        #expect(first.setup?.isResumable == true && first.setup?.resumptionHandle == nil)
        first.goAway(10_000)
        #expect(await LiveSession.until(.seconds(30)) { server.connections.count == 2 && first.closeCode == 1_000 })
        try await typed("three", live, &said)
        let second = try #require(server.connections.last)
        #expect(second.setup?.resumptionHandle == "handle-0-2")
        #expect(first.words == ["user one", "user two"])
        #expect(second.words == ["user three"])
        #expect(try live.history == said)
        #expect(live.heardMilliseconds == received.milliseconds)
        #expect(live.reconnects.isEmpty && !live.states.contains(.reconnecting))
        #expect(server.connections.count == 2 && second.closeCode == nil)
        await live.end()
        #expect(await LiveSession.until(.seconds(30)) { second.closeCode == 1_000 })
        await server.stop()
    }

    @Test(.timeLimit(.minutes(2)))
    func aServerThatGoesAwayInTheMiddleOfAnAnswerIsFollowedWhenItIsOver() async throws {
        let server = try LiveServer()
        let received = ReceivedAudio()
        let live = try await live(server, received)
        var said: [HistoryEntry] = []
        try await typed("one", live, &said)
        let first = try #require(server.connections.first)
        // The server speaks by itself, and tells its leaving in the middle of it.
        var content = GeminiServerContent()
        content.outputTranscription = GeminiTranscription(text: "And one more thing.")
        let tone = PCMBlock(samples: [Int16](repeating: 500, count: 12_000), sampleRate: 24_000).littleEndianBytes
        content.modelTurn = .model(.inlineData(.pcm(tone, rate: 24_000)))
        first.say(.serverContent(content))
        first.goAway(10_000)
        first.say(.serverContent(content))
        #expect(server.connections.count == 1)
        var end = GeminiServerContent()
        end.isTurnComplete = true
        first.say(.serverContent(end))
        first.giveHandle()
        #expect(await LiveSession.until(.seconds(30)) { server.connections.count == 2 && first.closeCode == 1_000 })
        #expect(await LiveSession.until(.seconds(30)) { server.connections.last?.setup != nil })
        #expect(server.connections.last?.setup?.resumptionHandle == "handle-0-2")
        said += [try #require(try HistoryEntry("assistant", "And one more thing. And one more thing."))]
        try await typed("two", live, &said)
        #expect(live.heardMilliseconds == received.milliseconds)
        #expect(live.reconnects.isEmpty)
        await live.end()
        await server.stop()
    }

    @Test(.timeLimit(.minutes(2)))
    func aHandleThatIsOlderThanTheLastTurnIsNotUsedAndTheTurnIsNotForgotten() async throws {
        let server = try LiveServer(LiveServer.Manner(givesHandles: false))
        let received = ReceivedAudio()
        let live = try await live(server, received)
        var said: [HistoryEntry] = []
        try await typed("one", live, &said)
        let first = try #require(server.connections.first)
        first.giveHandle()
        try await typed("two", live, &said)
        first.goAway(1_000)
        first.channel.close(code: 1_001, reason: "")
        try await typed("three", live, &said)
        let second = try #require(server.connections.last)
        #expect(server.connections.count == 2)
        #expect(second.setup?.resumptionHandle == nil)
        #expect(second.words == ["user one", "model You said one.", "user two", "model You said two.", "user three"])
        #expect(live.heardMilliseconds == received.milliseconds)
        await live.end()
        await server.stop()
    }

    @Test(.timeLimit(.minutes(2)), arguments: [1_007, 1_008, 1_011] as [UInt16])
    func aHandleThatIsRefusedIsFollowedByAFreshSetupThatIsToldTheConversation(_ code: UInt16) async throws {
        let server = try LiveServer(LiveServer.Manner(refusal: code))
        let received = ReceivedAudio()
        let live = try await live(server, received)
        var said: [HistoryEntry] = []
        try await typed("one", live, &said)
        try await typed("two", live, &said)
        let first = try #require(server.connections.first)
        first.goAway(10_000)
        #expect(await LiveSession.until(.seconds(60)) { server.connections.count == 3 })
        try await typed("three", live, &said)
        let (refused, fresh) = (server.connections[1], server.connections[2])
        #expect(first.closeCode == 1_000)
        #expect(refused.setup?.resumptionHandle == "handle-0-2" && refused.words.isEmpty)
        #expect(fresh.setup != nil && fresh.setup?.resumptionHandle == nil)
        #expect(fresh.words == ["user one", "model You said one.", "user two", "model You said two.", "user three"])
        #expect(try live.history == said)
        #expect(live.heardMilliseconds == received.milliseconds)
        #expect(live.reconnects.count == 1)
        #expect(server.connections.count == 3)
        await live.end()
        await server.stop()
    }
}
