import SeededRandom
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

/// The same proof with the whole runtime: microphone, session driver, tool threads and playback as they are, and a gateway that is
/// killed at a random moment. One after another: together they would keep the test threads from all other tests.
@Suite(.serialized) struct KilledGatewayTests {
    private static let parts = ConversationScript.errands.turns.indices.dropLast().map {
        ConversationScript(turns: Array(ConversationScript.errands.turns[$0...$0 + 1]))
    }
    /// A part takes about this long when nothing is lost, in milliseconds.
    private static let length = 8_000
    /// Threads that no other test fills.
    private static let threads = AppCodeThreads()

    @Test(arguments: 0..<20) func aKilledGatewayChangesNoHistoryAndRunsNoToolTwice(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed) &* 7_919 &+ 3)
        let script = Self.parts[seed % Self.parts.count]
        let killedAt = Int.random(in: 1_000...Self.length, using: &generator)
        let downtime = Int.random(in: 0...1_500, using: &generator)
        let clock = ManualClock()
        let network = GatewayNetwork(script: script, clock: clock)
        let device = SimulatedDevice(clock: clock.port, microphoneRate: SpokenWords.rate)
        let glasses = DefaultExtentosGlasses(
            config: ExtentosConfig(),
            ports: RuntimePorts(
                clock: clock.port, loadTransport: { .success(device) }, connector: network.connector,
                speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }), seed: { UInt64(seed) }),
            appCode: Self.threads)
        _ = await glasses.connect()
        let runs = RunCounts()
        let waking = Task { [config = Self.config(runs: runs, clock: clock)] in
            let session = glasses.assistant.createSession(config: config)
            try await session.start()
            return session
        }
        while !network.isConnected || !device.simulatedMicrophone.isOpen {
            clock.advance(by: .milliseconds(10))
            network.pump()
            await pause()
        }
        let session = try await waking.value
        var user = ScriptedUser(script: script)
        var wasKilled = false
        while network.now < 90_000, !user.isDone(session.conversationHistory(), isHearing: Self.isPlaying(device)) {
            clock.advance(by: .milliseconds(20))
            if !wasKilled, network.now >= killedAt {
                wasKilled = true
                network.kill(for: downtime)
            }
            network.pump()
            let typed = user.act(
                at: network.now, turns: session.conversationHistory(), isHearing: Self.isPlaying(device),
                pause: Int.random(in: 200...900, using: &generator))
            if let typed { Task { try await session.sendText(typed) } }
            device.simulatedMicrophone.hear(user.sound(milliseconds: 20))
            for _ in 0..<3 { await pause() }
        }
        #expect(ConversationScript.lines(of: session.conversationHistory()) == script.history)
        #expect(runs.byCall.count == script.turns.map(\.calls.count).reduce(0, +))
        #expect(runs.byCall.values.allSatisfy { $0 == 1 })
        #expect(network.record.violations.isEmpty)
        await session.stop()
        #expect(!network.isConnected)
    }

    private static func isPlaying(_ device: SimulatedDevice) -> Bool {
        device.simulatedSpeaker.writtenFrames > Int64(device.simulatedSpeaker.heard.count)
    }

    private static func config(runs: RunCounts, clock: ManualClock) -> AssistantConfig {
        var config = AssistantConfig(provider: .managed())
        config.startActive = true
        config.greeting = .off
        config.tools = ["add_item", "get_time"].map { name in
            ToolDefinition(name: name, description: "Does it.") { arguments in
                runs.add("\(name) \(arguments.jsonText)")
                try await clock.port.sleepUntil(clock.now.advanced(by: .milliseconds(300)))
                return .ok(ConversationScript.output(of: name))
            }
        }
        return config
    }
}

/// How often each tool ran.
private final class RunCounts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    var byCall: [String: Int] { counts.withLock { $0 } }

    func add(_ call: String) { counts.withLock { $0[call, default: 0] += 1 } }
}
