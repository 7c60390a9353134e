import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct SessionAnswerTests {
    @Test func anAnswerIsHeardInFullAndEntersTheHistory() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.speakAnswer("r1", item: "a1", transcript: "hello there", milliseconds: 1000)
        await harness.run(.seconds(3)) { harness.events.contains(.assistantAudioFinished) }
        #expect(harness.device.simulatedSpeaker.heard.count == 24_000)
        #expect(harness.events.filter { $0 == .assistantAudioStarted }.count == 1)
        #expect(harness.events.filter { $0 == .assistantAudioFinished }.count == 1)
        #expect(harness.events.contains(.assistantSpoke(transcript: "hello there")))
        let texts = session.conversationHistory().map { turn -> String in
            if case .assistantText(let text, _) = turn { text } else { "?" }
        }
        #expect(texts == ["hello there"])
        await session.stop()
    }

    @Test func speechInMidAnswerCutsThePlaybackAndTruncatesAtWhatWasHeard() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.speakAnswer(
            "r1", item: "a1", transcript: "one two three four five six seven eight nine ten", milliseconds: 3000)
        await harness.run(.milliseconds(1500)) { harness.device.simulatedSpeaker.heard.count >= 24_000 }
        let heard = harness.device.simulatedSpeaker.heard.count
        harness.userSpeaks()
        await eventually("the item is truncated") {
            harness.connection?.sent.contains { if case .conversationItemTruncate = $0 { true } else { false } } == true
        }
        await harness.run(.milliseconds(500))
        #expect(harness.device.simulatedSpeaker.heard.count == heard, "nothing is played after the cut")
        for case .conversationItemTruncate(let cut) in harness.connection?.sent ?? [] {
            #expect(cut.itemId == "a1")
            #expect(abs(cut.audioEndMs - heard / 24) <= 10)
        }
        #expect(harness.events.last { $0 == .assistantAudioFinished } != nil)
        guard case .assistantText(let text, _)? = session.conversationHistory().last else {
            Issue.record("the cut answer is in the history")
            return
        }
        #expect(text.hasSuffix(" …"))
        #expect(!text.contains("ten"))
        await session.stop()
    }

    @Test func aDeltaThatEndsInMidSampleIsJoinedWithTheNextOne() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.beginAnswer("r1", item: "a1")
        let bytes = SessionHarness.tone(milliseconds: 200)
        let place = PartReference(responseId: "r1", itemId: "a1")
        for piece in [Array(bytes[..<4801]), Array(bytes[4801...])] {
            harness.connection?.say(.responseOutputAudioDelta(OutputAudio(place: place, audio: piece)))
        }
        harness.finishAnswer("r1", item: "a1", transcript: "tone")
        await harness.run(.seconds(2)) { harness.events.contains(.assistantAudioFinished) }
        #expect(harness.device.simulatedSpeaker.heard == PCMBlock.samples(littleEndian: bytes))
        await session.stop()
    }

    @Test func answersOfA24KilohertzProviderKeepTheirLengthOnA48KilohertzSpeaker() async throws {
        let harness = SessionHarness(speakerRate: 48_000)
        let session = try await harness.awake()
        harness.speakAnswer("r1", item: "a1", transcript: "tone", milliseconds: 1000)
        await harness.run(.seconds(3)) { harness.events.contains(.assistantAudioFinished) }
        #expect(abs(harness.device.simulatedSpeaker.heard.count - 48_000) <= 2)
        await session.stop()
    }

    @Test func aToolRunsOnceAndItsResultIsSentBeforeTheFollowUpIsAskedFor() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { config in
            config.tools = [
                ToolDefinition(
                    name: "add", description: "Adds.",
                    schema: [
                        "type": "object", "properties": ["a": ["type": "integer"], "b": ["type": "integer"]],
                        "required": ["a", "b"],
                    ]
                ) { arguments in
                    .ok(String((arguments["a"]?.intValue ?? 0) + (arguments["b"]?.intValue ?? 0)))
                }
            ]
        }
        harness.callTool("add", arguments: #"{"a":2,"b":3}"#, call: "c1", response: "r1")
        await eventually("the follow-up is asked for") {
            harness.connection?.sent.contains { if case .responseCreate = $0 { true } else { false } } == true
        }
        #expect(harness.toolOutputs.map(\.output) == ["5"])
        guard case .responseCreate? = harness.connection?.sent.last else {
            Issue.record("the output comes before the request")
            return
        }
        await session.stop()
    }

    @Test func microphoneAudioReachesTheProviderAtItsRateOnlyWhileAwake() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        for _ in 0..<50 { harness.device.simulatedMicrophone.hear([Int16](repeating: 100, count: 320)) }
        let bytes = harness.connection?.appendedBytes ?? 0
        #expect(abs(bytes - 48_000) < 500, "one second at 24 kHz, less the resampler's delay")
        let microphone = harness.device.simulatedMicrophone
        try await session.sleep()
        microphone.hear([Int16](repeating: 100, count: 320))
        #expect(harness.connection?.appendedBytes == bytes)
        await session.stop()
    }

    @Test(arguments: [
        ("privacy_mode", JSONValue.bool(true)), ("audio_capture_enabled", .bool(false)), ("listening_mode", "off"),
    ])
    func aClosedGateEndsTheUtteranceAndSendsNothing(key: String, value: JSONValue) async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        let connection = try #require(harness.connection)
        let old = harness.glasses.toggles.get(key: key)
        await harness.glasses.toggles.put(key: key, value: value)
        #expect(!harness.device.simulatedMicrophone.isOpen)
        await eventually("the input is cleared") { connection.sent.contains(.inputAudioBufferClear) }
        let bytes = connection.appendedBytes
        await harness.glasses.toggles.put(key: key, value: old ?? .null)
        await eventually("the microphone opens again") { harness.device.simulatedMicrophone.isOpen }
        harness.device.simulatedMicrophone.hear([Int16](repeating: 1, count: 3200))
        await eventually("samples flow again") { connection.appendedBytes > bytes }
        await session.stop()
    }
}
