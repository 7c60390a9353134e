import Foundation
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("A transport written in plain C, through the whole host")
struct LoopbackTransportTests {
    private func transport(
        _ isolation: PluginIsolation, _ settings: JSONValue = [:]
    ) async throws -> any GlassesTransport {
        let host = PluginHost(
            configuration: .test([buildFolder + "/extentos_LoopbackTransport.resources"], isolation: isolation))
        let result = await host.transport(id: "org.extentos.loopback", settings: settings)
        return try #require(result.success, "\(String(describing: result.failure))")
    }

    @Test(
        "A loaded transport tells its facts, connects, reports what happens after that and ends",
        arguments: PluginIsolation.both)
    func connects(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, ["sampleRate": 16_000])
        #expect(transport.facts.id == "org.extentos.loopback")
        #expect(transport.facts.microphoneRate == 16_000)
        #expect(transport.facts.capabilities.speaker)
        let device = try #require(await transport.connect(deviceId: nil).success)
        #expect(device.id == "virtual")
        await transport.disconnect()
        await transport.shutdown()
        var states: [GlassesState] = []
        for await event in transport.events { if case .stateChanged(let state) = event { states.append(state) } }
        #expect(states == [.disconnected(cause: .userRequested)])
    }

    @Test("Opening a stream before connecting fails with notConnected", arguments: PluginIsolation.both)
    func requiresConnection(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation)
        let microphone = try #require(transport.microphone)
        #expect(await microphone.open { _ in }.failure == .notConnected)
        await transport.shutdown()
    }

    @Test(
        "After shutdown every call is answered and none reaches the plugin; a second shutdown does nothing",
        arguments: PluginIsolation.both)
    func isOverAfterShutdown(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation)
        await transport.shutdown()
        #expect(await transport.connect(deviceId: nil).failure?.code == "wrong_state")
        #expect(await transport.microphone?.open { _ in }.failure == .notConnected)
        #expect(await transport.speaker?.open { _ in }.failure == .notConnected)
        await transport.disconnect()
        await transport.shutdown()
    }

    @Test(
        "What the loudspeaker plays is heard by the microphone, in blocks whose times follow the clock",
        arguments: PluginIsolation.both)
    func loopsBack(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, ["mode": "loopback", "sampleRate": 16_000])
        _ = await transport.connect(deviceId: nil)
        let (microphone, speaker) = (try #require(transport.microphone), try #require(transport.speaker))
        let blocks = Collected<PCMBlock>()
        #expect(await microphone.open { blocks.append($0) }.failure == nil)
        #expect(await speaker.open { _ in }.failure == nil)
        let tone = (0..<8_000).map { Int16(1 + $0 % 2_000) }
        #expect(speaker.write(tone[...]) == tone.count)
        #expect(await eventually { blocks.all.flatMap(\.samples).count { $0 != 0 } >= tone.count })
        await transport.shutdown()
        #expect(blocks.all.flatMap(\.samples).filter { $0 != 0 } == tone)
        let times = blocks.all.compactMap(\.time)
        #expect(times.count == blocks.all.count)
        for (block, next) in zip(blocks.all, blocks.all.dropFirst()) {
            #expect((160...640).contains(block.samples.count))
            let gap = block.time?.advanced(by: block.duration).duration(to: next.time ?? .zero)
            #expect(gap.map { abs($0.wholeNanoseconds) < 1_000 } ?? false)
        }
    }
}
