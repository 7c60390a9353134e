import Foundation
import GlassesCore
import GlassesDomain
import Testing

@Suite struct ExtentosTests {
    @Test func createMakesANewInstanceAndDefaultIsShared() {
        #expect(Extentos.create() !== Extentos.create())
        #expect(Extentos.default() === Extentos.default())
    }

    @Test(arguments: [TransportChoice.simulated(.local), .plugin(id: "com.example.absent")])
    func aMissingPluginFailsTheConnectAndIsNamed(choice: TransportChoice) async {
        let glasses = Extentos.create(config: ExtentosConfig(transport: choice))
        guard case .failure(.transportFailure(let code, let message)) = await glasses.connect() else {
            Issue.record("the connect must fail")
            return
        }
        #expect(code == "plugin_not_installed")
        #expect(message.contains("org.extentos.") || message.contains("com.example.absent"))
        guard case .disconnected(.transportFailure) = glasses.connection.state.current else {
            Issue.record("the state tells of the failure")
            return
        }
        await glasses.shutdown()
    }

    @Test(arguments: [
        (true, "org.extentos.meta-dat", "bonded_devices"), (false, "org.extentos.system-device", "fallback_default"),
        (nil, "org.extentos.system-device", "fallback_default"),
    ])
    func autoIsTheSystemDeviceUnlessMetaGlassesAreBondedAndIsAnnounced(
        isBonded: Bool?, chosen: String, source: String
    ) async {
        var config = ExtentosConfig()
        if let isBonded { config.hasBondedMetaDevice = { isBonded } }
        let glasses = Extentos.create(config: config)
        let announced = await announcements(of: glasses)
        #expect(
            announced["transport.selected"]
                == [["chosen": .string(chosen), "source": .string(source)]])
        #expect(announced["audio.destination"] == [AudioDestination.thisMachine.payload])
        await glasses.shutdown()
    }

    /// The payloads of the log lines of level `info`, by message.
    private func announcements(of glasses: any ExtentosGlasses) async -> [String: [JSONValue]] {
        var payloads: [String: [JSONValue]] = [:]
        for case .log(.info, let message, let payload) in await glasses.runtime.snapshotEvents() {
            payloads[message, default: []].append(payload ?? .null)
        }
        return payloads
    }

    @Test(arguments: [LogLevel.info, .error])
    func theLogLevelHoldsBackNeitherAnnouncement(level: LogLevel) async {
        let glasses = Extentos.create(config: ExtentosConfig(transport: .systemAudio, logLevel: level))
        let announced = await announcements(of: glasses)
        #expect(announced["transport.selected"]?.count == 1)
        #expect(announced["audio.destination"]?.count == 1)
        await glasses.shutdown()
    }

    @Test(.timeLimit(.minutes(1)))
    func aTypedTurnOnTheEmbeddedProviderCallsTheRightToolOnce() async throws {
        let glasses = Extentos.create(config: ExtentosConfig(transport: .plugin(id: "org.extentos.loopback")))
        #expect(await glasses.connect().failure == nil)
        let events = glasses.runtime.events
        let session = try await glasses.assistant.start(provider: .managed()) {
            $0.startActive = true
            $0.greeting = .off
            $0.tool("get_time", description: "Tells the current time.") { .ok("It is noon.") }
            $0.tool(
                "set_timer", description: "Sets a timer that rings.",
                schema: [
                    "type": "object", "required": ["minutes"],
                    "properties": ["minutes": ["type": "number", "description": "How long, in minutes."]],
                ]
            ) { (arguments: JSONValue) in .ok("The timer runs for \(arguments["minutes"]?.jsonText ?? "") minutes.") }
        }
        try await session.sendText("set a timer for five minutes")
        var calls: [JSONValue] = []
        for await case .assistant(let event) in events {
            if case .toolCalled(let name, let arguments, _) = event {
                #expect(name == "set_timer")
                calls.append(arguments)
            }
            if case .assistantSpoke(let text) = event {
                #expect(text.contains("5 minutes"))
                break
            }
        }
        #expect(calls == [["minutes": 5]])
        await session.stop()
        await glasses.shutdown()
    }

    @Test func shutdownEndsEveryStream() async {
        let glasses = Extentos.create(config: ExtentosConfig(transport: .plugin(id: "org.extentos.loopback")))
        let states = glasses.connection.state.stream
        let events = glasses.runtime.events
        let toggles = glasses.toggles.state.stream
        _ = await glasses.connect()
        await glasses.shutdown()
        for await _ in states {}
        for await _ in events {}
        for await _ in toggles {}
        #expect(glasses.assistant.activeSession == nil)
    }
}
