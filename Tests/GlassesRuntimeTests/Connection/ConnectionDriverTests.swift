import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct ConnectionDriverTests {
    @Test func aConnectWalksThroughTheStatesOfADeviceToActive() async {
        let harness = SessionHarness()
        let states = harness.glasses.connection.state.stream
        _ = await harness.glasses.connect()
        var seen: [GlassesState] = []
        for await state in states {
            seen.append(state)
            if state.active != nil { break }
        }
        let id = harness.device.facts.device.id
        #expect(
            seen == [
                .notRegistered, .registered, .deviceDiscovered(deviceId: id), .connecting(deviceId: id),
                .active(state: .connected(device: harness.device.facts.device, camera: .ready)),
            ])
        #expect(harness.glasses.capabilities.microphone)
        #expect(!harness.glasses.capabilities.camera)
    }

    @Test func aRefusedConnectFailsAndALaterOneSucceeds() async {
        let harness = SessionHarness()
        harness.device.refuseConnect(.noDeviceAvailable)
        guard case .failure(.noDeviceAvailable) = await harness.glasses.connect() else {
            Issue.record("the connect must fail")
            return
        }
        harness.device.refuseConnect(nil)
        #expect(await harness.glasses.connect().failure == nil)
    }

    @Test func concurrentConnectsDisconnectsAndReconnectsEndInTheLastOnesState() async {
        let harness = SessionHarness()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<30 {
                group.addTask {
                    switch index % 3 {
                    case 0: _ = await harness.glasses.connect()
                    case 1: await harness.glasses.connection.disconnect()
                    default: _ = await harness.glasses.connection.reconnect(deviceId: nil)
                    }
                }
            }
        }
        await harness.glasses.connection.disconnect()
        #expect(harness.glasses.connection.state.current == .disconnected(cause: .userRequested))
    }

    @Test func aDeviceThatComesBackInTimeKeepsTheSessionAwake() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.device.drop()
        await eventually("the microphone is released") { !harness.device.simulatedMicrophone.isOpen }
        await harness.run(.seconds(2))
        harness.device.comeBack()
        await eventually("the microphone is back") { harness.device.simulatedMicrophone.isOpen }
        #expect(session.state.current == .active)
        #expect(!harness.events.contains(.wentDormant))
        await session.stop()
    }

    @Test func aDeviceThatStaysAwayPutsTheSessionToSleepOnce() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.device.drop()
        await harness.run(.milliseconds(20_500)) { session.state.current == .dormant }
        await eventually("the sleep is told") { harness.events.contains(.wentDormant) }
        let losses = {
            harness.events.count { if case .error("device_lost", _) = $0 { true } else { false } }
        }
        await eventually("the loss is told") { losses() > 0 }
        #expect(losses() == 1)
        await session.stop()
    }

    @Test func aSessionThatStartsWhileTheDeviceIsLostSleepsWhenItDoesNotComeBack() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        harness.device.drop()
        await eventually("the loss is seen") { harness.glasses.connection.state.current.active == nil }
        let session = try await harness.glasses.assistant.start(provider: .managed()) { $0.startActive = true }
        #expect(session.state.current == .active)
        await harness.run(.milliseconds(20_500)) { session.state.current == .dormant }
        #expect(session.state.current == .dormant)
        await session.stop()
    }

    @Test func foldingTheGlassesPutsTheSessionToSleepAtOnce() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.device.drop(cause: .hingesClosed)
        await eventually("the session sleeps") { session.state.current == .dormant }
        await session.stop()
    }

    @Test func afterAShutdownTheStateIsDisconnectedAndEveryConnectFails() async {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        await harness.glasses.shutdown()
        #expect(harness.glasses.connection.state.current == .disconnected(cause: .userRequested))
        #expect(await harness.glasses.connect().failure?.code == "shut_down")
        #expect(await harness.glasses.connection.reconnect(deviceId: nil).failure?.code == "shut_down")
        await harness.glasses.connection.disconnect()
        #expect(harness.glasses.connection.state.current == .disconnected(cause: .userRequested))
    }

    @Test func aConnectThatHangsHoldsAShutdownUpForFiveSecondsAtMostAndFailsWhenItEnds() async {
        let harness = SessionHarness()
        let (held, release) = AsyncStream<Void>.makeStream()
        harness.device.holdConnect(held)
        let connecting = Task { await harness.glasses.connect() }
        let id = harness.device.facts.device.id
        await eventually("the connect hangs") {
            harness.glasses.connection.state.current == .connecting(deviceId: id)
        }
        let started = harness.clock.now
        let ended = Tally()
        let stopping = Task {
            await harness.glasses.shutdown()
            ended.add()
        }
        await harness.run(.seconds(6)) { ended.count == 1 }
        await stopping.value
        #expect(started.duration(to: harness.clock.now) <= .milliseconds(5_200))
        #expect(harness.glasses.connection.state.current == .disconnected(cause: .userRequested))
        release.finish()
        #expect(await connecting.value.failure?.code == "shut_down")
        #expect(harness.glasses.connection.state.current == .disconnected(cause: .userRequested))
    }
}
