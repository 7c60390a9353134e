import Foundation
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@_spi(ExtentosTools) @testable import GlassesCore
@testable import GlassesGateway

/// Sessions that outlive the longest session of a gateway, over real sockets and by the real clock.
@Suite(.serialized) struct RotationOverGatewayTests {
    private static let ceiling = Duration.seconds(14)

    enum Way: CaseIterable {
        /// The gateway serves the session itself.
        case served
        /// The gateway relays it to another one, which ends it.
        case relayed
    }

    private func live(_ gateway: LocalGateway, _ received: ReceivedAudio) async throws -> LiveSession {
        try await LiveSession(
            received.observe(Extentos.connector(to: GatewayEndpoint(url: gateway.url, token: { LocalGateway.token })))
        ) { $0.historyCap = 1_000 }
    }

    private func typed(_ text: String, _ live: LiveSession, _ said: inout [HistoryEntry]) async throws {
        try await live.session.sendText(text)
        said += try HistoryEntry.both(text, "You said \(text)")
        let expected = said
        let isDone = try await LiveSession.until(.seconds(60)) { try live.history == expected && !live.isAudible }
        try #require(isDone, "\(live.session.conversationHistory(limit: 1_000)) \(live.states) \(live.events)")
    }

    /// Both ways at once: most of each is waiting.
    private func each(_ body: @escaping @Sendable (Way) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for way in Way.allCases { group.addTask { try await body(way) } }
            try await group.waitForAll()
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func aSessionMovesBeforeTheCeilingThatItsGatewayTellsAndLosesNothing() async throws {
        try await each(moves)
    }

    @Test(.timeLimit(.minutes(2)))
    func aCeilingThatComesEarlierThanItWasToldCutsNoWordOfTheUser() async throws { try await each(isEndedEarly) }

    @Sendable private func moves(_ way: Way) async throws {
        let serving = try LocalGateway { $0.sessionLength = Self.ceiling }
        let front = way == .served ? serving : try LocalGateway.relay(to: serving.gateway.baseURL)
        let received = ReceivedAudio()
        let live = try await live(front, received)
        let start = ContinuousClock.now
        var said: [HistoryEntry] = []
        var number = 0
        while serving.started < 2, start.duration(to: .now) < Self.ceiling * 2 {
            number += 1
            try await typed("turn \(number)", live, &said)
            _ = await LiveSession.until(.milliseconds(1_400)) { serving.started > 1 }
        }
        #expect(await LiveSession.until(.seconds(20)) { serving.closeCodes == [1_000] })
        #expect(start.duration(to: .now) < Self.ceiling, "it was left before its end")
        try await typed("after the move", live, &said)
        #expect(live.reconnects == [.reconnected(reason: .proactiveCadence, downtimeMs: 0)])
        #expect(serving.started == 2)
        #expect(!live.states.contains(.reconnecting))
        #expect(live.heardMilliseconds == received.milliseconds)
        #expect(try live.history == said)
        await live.end()
        await front.gateway.shutDown()
        if way == .relayed { await serving.gateway.shutDown() }
    }

    @Sendable private func isEndedEarly(_ way: Way) async throws {
        // Its wall clock is an hour ahead, and so is the end that it tells.
        var clock = LiveClock.port
        let honest = clock.wallClockMilliseconds
        clock.wallClockMilliseconds = { honest() + 3_600_000 }
        let serving = try LocalGateway(clock: clock) { $0.sessionLength = .seconds(5) }
        let front = way == .served ? serving : try LocalGateway.relay(to: serving.gateway.baseURL)
        let received = ReceivedAudio()
        let live = try await live(front, received)
        let start = ContinuousClock.now
        var said: [HistoryEntry] = []
        try await typed("before", live, &said)
        // Two seconds of speech around the end.
        _ = await LiveSession.until(.seconds(4) - start.duration(to: .now)) { false }
        live.microphone.speak(PredictableEngines.speech(2_000))
        said += try HistoryEntry.both("utterance 1", "You said utterance 1")
        let expected = said
        let isDone = try await LiveSession.until(.seconds(60)) { try live.history == expected && !live.isAudible }
        #expect(isDone, "\(live.session.conversationHistory(limit: 1_000)) \(live.states)")
        // All of it, in one utterance: three quarters of the sound are loud.
        #expect(serving.ear.loudMilliseconds.count == 1)
        #expect(serving.ear.loudMilliseconds.allSatisfy { $0 > 1_300 }, "\(serving.ear.loudMilliseconds)")
        #expect(live.reconnects.count == 1 && serving.started == 2)
        try await typed("after", live, &said)
        #expect(live.events.count { if case .error = $0 { true } else { false } } == 0)
        await live.end()
        await front.gateway.shutDown()
        if way == .relayed { await serving.gateway.shutDown() }
    }
}

extension LiveSession {
    /// The reconnects that the app was told of.
    var reconnects: [AssistantEvent] { events.filter { if case .reconnected = $0 { true } else { false } } }
}
