import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// Sixty-five minutes with a provider that ends a session after sixty, through the real driver: field bug A10.
@Suite struct RotationTests {
    private static let end = Duration.seconds(3_900)

    /// Turns until there were sixty-five minutes, none of them when the change becomes due.
    private func converse(_ conversation: LongConversation) async {
        while conversation.now < Self.end {
            await conversation.turn()
            await conversation.pass(until: min(conversation.now + .seconds(280), Self.end + .seconds(1)))
        }
    }

    /// Nobody pauses from the forty-ninth minute on: the next question begins with the last sample of an answer.
    private func converseWithoutPause(_ conversation: LongConversation) async {
        await conversation.turn()
        await conversation.pass(until: .seconds(2_940))
        while conversation.now < .seconds(3_660) { await conversation.turn(speaking: .seconds(25)) }
        await conversation.pass(until: Self.end)
        await conversation.turn()
    }

    @Test func aConversationThatOutlivesItsProvidersSessionMovesOnceAndLosesNothing() async throws {
        let conversation = try await LongConversation()
        await converse(conversation)
        #expect(conversation.reconnects == [.reconnected(reason: .proactiveCadence, downtimeMs: 0)])
        #expect(conversation.provider.connectionCount == 2)
        try await conversation.checkHistory()
    }

    @Test func overASocketTheMoveLosesNothingEither() async throws {
        let server = try ScriptedGateway(serving: ScriptedProvider())
        let conversation = try await LongConversation(announced: .seconds(600), server: server)
        await conversation.turn()
        await conversation.pass(until: .seconds(490))
        await conversation.pass(.seconds(100), step: .milliseconds(100)) { !conversation.reconnects.isEmpty }
        await conversation.turn()
        #expect(conversation.reconnects == [.reconnected(reason: .proactiveCadence, downtimeMs: 0)])
        #expect(conversation.provider.connectionCount == 2)
        try await conversation.checkHistory()
        await server.stop()
    }

    @Test func aUserWhoNeverPausesLosesNoWord() async throws {
        let conversation = try await LongConversation()
        await converseWithoutPause(conversation)
        #expect(conversation.reconnects.count == 1)
        try await conversation.checkHistory()
    }

    @Test func aUserWhoSpeaksThroughTheLastMinuteIsHeardFromTheFirstWord() async throws {
        let conversation = try await LongConversation()
        await conversation.turn()
        await conversation.pass(until: .seconds(2_900))
        conversation.userBegins()
        // Nobody speaks for two minutes without a break that ends an utterance.
        while conversation.now < .seconds(3_570) {
            await conversation.pass(.seconds(100), step: .seconds(1))
            await conversation.userEnds()
            conversation.userBegins()
        }
        await conversation.pass(.seconds(25), step: .milliseconds(500))
        await conversation.userEnds()
        await conversation.answer()
        guard case .reconnected(.ceilingApproach, let downtime)? = conversation.reconnects.last else {
            Issue.record("\(conversation.reconnects)")
            return
        }
        #expect(conversation.reconnects.count == 1 && downtime < 5_000)
        await conversation.pass(until: Self.end)
        try await conversation.checkHistory()
    }

    @Test func speechThatBeginsInTheMiddleOfTheReplayStaysOnTheConnectionThatHearsIt() async throws {
        let conversation = try await LongConversation()
        await conversation.turn()
        let old = try #require(conversation.provider.inUse)
        await conversation.pass(until: .seconds(2_990))
        conversation.provider.hold(true)
        await conversation.pass(.seconds(60), step: .milliseconds(500)) {
            conversation.provider.connectionCount == 2 && !(conversation.harness.connection?.sent.isEmpty ?? true)
        }
        let second = try #require(conversation.harness.connection)
        conversation.userBegins()
        await eventually("the attempt is called off") { !second.isOpen }
        #expect(old.isOpen)
        #expect(conversation.reconnects.isEmpty)
        conversation.provider.hold(false)
        await conversation.pass(.seconds(2), step: .milliseconds(100))
        await conversation.userEnds()
        await conversation.answer()
        await conversation.pass(until: Self.end)
        #expect(conversation.reconnects == [.reconnected(reason: .proactiveCadence, downtimeMs: 0)])
        #expect(conversation.provider.connectionCount == 3)
        try await conversation.checkHistory()
    }

    @Test func aProviderThatRefusesASecondConnectionIsLeftInAQuietMoment() async throws {
        let conversation = try await LongConversation(allowsSecond: false)
        await converse(conversation)
        #expect(conversation.reconnects.count == 1)
        guard case .reconnected(.proactiveCadence, let downtime)? = conversation.reconnects.first else {
            Issue.record("\(conversation.reconnects)")
            return
        }
        #expect(downtime < 5_000)
        #expect(conversation.provider.mostOpen == 1)
        try await conversation.checkHistory()
    }

    @Test func aProviderThatEndsEarlierThanItSaysCostsNoWord() async throws {
        let conversation = try await LongConversation(life: .seconds(3_480))
        await converseWithoutPause(conversation)
        #expect(conversation.reconnects.count == 1)
        guard case .reconnected(.ceilingApproach, _)? = conversation.reconnects.first else {
            Issue.record("\(conversation.reconnects)")
            return
        }
        try await conversation.checkHistory()
    }
}
