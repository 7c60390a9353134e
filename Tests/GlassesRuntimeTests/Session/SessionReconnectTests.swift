import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// Lost connections and refused handshakes through the real driver: field bugs A14 to A19.
@Suite struct SessionReconnectTests {
    private static let dropped = ConnectionClosure(code: "dropped", message: "The link dropped.", closeCode: 1006)

    private static func refusal(_ status: Int) -> ConnectionClosure {
        ConnectionClosure(code: "refused", message: "Refused.", httpStatus: status)
    }

    private func untilActive(_ harness: SessionHarness, _ session: any AssistantSession, connections: Int) async {
        await harness.run(.seconds(30)) {
            harness.provider.connections.count == connections && session.state.current == .active
        }
        #expect(session.state.current == .active)
    }

    @Test func anOldTokenIsReplacedByOneMoreAttempt() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.provider.plan([.refuse(Self.refusal(401))])
        harness.connection?.drop(Self.dropped)
        await untilActive(harness, session, connections: 2)
        #expect(harness.provider.attempts == 3)
        await session.stop()
    }

    @Test func aTokenThatStaysRefusedEndsTheSession() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.provider.plan(Array(repeating: .refuse(Self.refusal(401)), count: 5))
        harness.connection?.drop(Self.dropped)
        await harness.run(.seconds(5)) { session.state.current == .stopped }
        #expect(harness.provider.attempts == 3)
        await eventually("the end is told") {
            harness.events.last == .sessionEnded(reason: .error, message: "Refused.")
        }
    }

    @Test func aProviderThatAcceptsAndThenRefusesByPolicyIsNotTriedForEver() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        let policy = ConnectionClosure(code: "policy", message: "The key is not valid.", closeCode: 1008)
        harness.connection?.drop(policy)
        await eventually("the session ends") { session.state.current == .stopped }
        #expect(harness.provider.attempts == 1)
    }

    @Test func wakeSayAndSleepDuringAReconnectDoWhatTheStateTableSays() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.provider.plan([.hang])
        harness.connection?.drop(Self.dropped)
        await harness.run(.seconds(2)) { harness.provider.attempts == 2 }
        #expect(session.state.current == .reconnecting)
        try await session.wake()
        #expect(session.state.current == .reconnecting)
        let saying = Task { try await session.say("One moment.") }
        try await session.sleep()
        #expect(session.state.current == .dormant)
        #expect(harness.provider.openCount == 0)
        await eventually("the microphone is released") { !harness.device.simulatedMicrophone.isOpen }
        await #expect(throws: AssistantError.self) { try await saying.value }
        await session.stop()
    }

    @Test func stopOvertakesAReconnectThatHangs() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.provider.plan([.hang])
        harness.connection?.drop(Self.dropped)
        await harness.run(.seconds(2)) { harness.provider.attempts == 2 }
        await session.stop()
        #expect(session.state.current == .stopped)
    }

    @Test func aConnectionThatRefusesAMessageIsReplaced() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.connection?.refuseMessages()
        harness.device.simulatedMicrophone.hear([Int16](repeating: 1, count: 3_200))
        await untilActive(harness, session, connections: 2)
        #expect(harness.provider.openCount == 1)
        await session.stop()
    }

    @Test func aSessionOfThreeMegabytesIsReadAndTheTurnAfterItHeard() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        let connection = try #require(harness.connection)
        var big = connection.session
        big.instructions = String(repeating: "x", count: 3 << 20)
        connection.say(.sessionUpdated(big))
        harness.speakAnswer("r1", item: "a1", transcript: "hello", milliseconds: 200)
        await harness.run(.seconds(60)) { harness.events.contains(.assistantAudioFinished) }
        #expect(harness.device.simulatedSpeaker.heard.count == 4_800)
        await session.stop()
    }

    /// Idle, dormant and stopped sessions have no connection, and from the first moment of sleep and stop no sample leaves.
    @Test func noSampleLeavesAndNoConnectionIsOpenWhenTheSessionDoesNotListen() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        let session = harness.glasses.assistant.createSession(config: AssistantConfig(provider: .managed()))
        #expect(harness.provider.attempts == 0)
        try await session.start()
        #expect(harness.provider.attempts == 0)
        for isLast in [false, true] {
            try await session.wake()
            await eventually("the microphone opens") { harness.device.simulatedMicrophone.isOpen }
            let connection = try #require(harness.connection)
            connection.ignoreClose()
            harness.device.simulatedMicrophone.hear([Int16](repeating: 1, count: 3_200))
            let ending = Task { if isLast { await session.stop() } else { try await session.sleep() } }
            await eventually("the end begins") { session.state.current != .active }
            let bytes = connection.appendedBytes
            for _ in 0..<50 { harness.device.simulatedMicrophone.hear([Int16](repeating: 1, count: 320)) }
            await harness.run(.seconds(3)) { [.dormant, .stopped].contains(session.state.current) }
            try await ending.value
            #expect(bytes > 0 && connection.appendedBytes == bytes)
        }
    }

    @Test func aShutdownDoesNotWaitForPortsThatNeverClose() async throws {
        let clock = ManualClock()
        let (never, keep) = AsyncStream<Void>.makeStream()
        let ports = RuntimePorts(
            clock: clock.port, loadTransport: { .failure(.registrationRequired) },
            connector: ScriptedProvider().connector,
            speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }), seed: { 1 },
            close: { for await _ in never {} })
        let glasses = DefaultExtentosGlasses(config: ExtentosConfig(), ports: ports)
        let shutdown = Task { await glasses.shutdown() }
        await eventually("it waits for them") { clock.sleeperCount > 0 }
        clock.advance(by: .seconds(5))
        await shutdown.value
        keep.finish()
    }
}
