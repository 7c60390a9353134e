import Foundation
import GlassesDomain
import Synchronization
import Testing

@testable import GlassesPluginHost

@Suite("A transport whose child dies")
struct ChildTransportTests {
    private static let rate = 16_000

    /// The C transport in a child, connected, with everything that it tells.
    private final class Fixture: Sendable {
        let transport: PluginTransport
        let child: ChildTransport
        let lines = Collected<PluginLogLine>()
        let states = Collected<GlassesState>()

        init(_ mode: String = "loopback") async throws {
            var configuration = PluginHostConfiguration.test(
                [buildFolder + "/libLoopbackTransport.so"], isolation: .process)
            configuration.flushLimit = .seconds(10)
            let log = lines
            configuration.onLog = { log.append($0) }
            let host = PluginHost(configuration: configuration)
            let result = await host.transport(
                id: "org.extentos.loopback", settings: ["mode": .string(mode), "sampleRate": .int(Int64(rate))])
            let opened = try #require(result.success, "\(String(describing: result.failure))")
            transport = try #require(opened as? PluginTransport)
            child = try #require(transport.instance as? ChildTransport)
            let (events, states) = (transport.events, states)
            Task { for await event in events { if case .stateChanged(let state) = event { states.append(state) } } }
            #expect(await transport.connect(deviceId: nil).success != nil)
        }

        /// Ends the living child and waits until another one lives.
        func kill(_ signal: Int32) async throws {
            #expect(await eventually { self.child.isDelivering })
            let process = try #require(child.process)
            let before = child.restarts
            Glibc.kill(process, signal)
            #expect(await eventually { self.child.restarts > before && self.child.isDelivering })
        }
    }

    @Test(
        "Streams go on in a new child, nobody is told, and what was not played is played",
        arguments: [SIGKILL, SIGSEGV])
    func goesOn(_ signal: Int32) async throws {
        let fixture = try await Fixture()
        let (microphone, speaker) = (
            try #require(fixture.transport.microphone), try #require(fixture.transport.speaker)
        )
        let heard = Collected<Int16>()
        let positions = Collected<PlaybackPosition>()
        #expect(
            await microphone.open { block in for sample in block.samples where sample != 0 { heard.append(sample) } }
                .failure == nil)
        #expect(await speaker.open { positions.append($0) }.failure == nil)
        let tone = (0..<Self.rate).map { Int16(1 + $0) }
        #expect(speaker.write(tone[...]) == tone.count)
        #expect(await eventually { positions.all.last.map { $0.frame > 3_000 } ?? false })
        try await fixture.kill(signal)
        #expect(await eventually { positions.all.last.map { $0.frame == tone.count && !$0.isAdvancing } ?? false })
        #expect(await eventually { heard.all.last == tone.last })
        for (earlier, later) in zip(positions.all, positions.all.dropFirst()) { #expect(earlier.frame <= later.frame) }
        // Nothing is skipped: what was played when the child died is heard again from the last report on.
        #expect(Set(heard.all).count >= tone.count - 800)
        #expect(fixture.child.restarts == 1)
        #expect(fixture.states.all == [])
        let cut = await speaker.flush()
        #expect(cut.frame == tone.count)
        await fixture.transport.shutdown()
        #expect(fixture.lines.all.contains { $0.text.contains("signal \(signal)") })
    }

    @Test(
        "A flush while there is no child is answered with the last position, and a new child plays only what came later"
    )
    func flushesWithoutChild() async throws {
        let fixture = try await Fixture()
        let speaker = try #require(fixture.transport.speaker)
        let positions = Collected<PlaybackPosition>()
        #expect(await speaker.open { positions.append($0) }.failure == nil)
        #expect(speaker.write([Int16](repeating: 7, count: Self.rate)[...]) == Self.rate)
        #expect(await eventually { positions.all.last.map { $0.frame > 800 } ?? false })
        Glibc.kill(try #require(fixture.child.process), SIGKILL)
        let cut = await speaker.flush()
        #expect((800..<Int64(Self.rate)).contains(cut.frame))
        #expect(speaker.write([Int16](repeating: 8, count: 800)[...]) == 800)
        let end = Int64(Self.rate + 800)
        #expect(await eventually { positions.all.last.map { $0.frame == end && !$0.isAdvancing } ?? false })
        #expect(speaker.writtenFrames == end)
        await fixture.transport.shutdown()
    }

    @Test("A stream that is closed while there is no child is closed, and can be opened again")
    func closesWithoutChild() async throws {
        let fixture = try await Fixture("silence")
        let microphone = try #require(fixture.transport.microphone)
        for _ in 0..<2 {
            let blocks = Collected<Int>()
            #expect(await microphone.open { blocks.append($0.samples.count) }.failure == nil)
            #expect(await eventually { blocks.all.count > 2 })
            Glibc.kill(try #require(fixture.child.process), SIGKILL)
            await microphone.close()
            let count = blocks.all.count
            #expect(await eventually { fixture.child.isDelivering })
            #expect(blocks.all.count == count)
        }
        await fixture.transport.shutdown()
    }

    @Test("Three deaths, each within five seconds of the start, end in transportFailure; a connect starts it again")
    func givesUp() async throws {
        let fixture = try await Fixture("silence")
        for _ in 0..<2 { try await fixture.kill(SIGSEGV) }
        #expect(await eventually { fixture.child.isDelivering })
        Glibc.kill(try #require(fixture.child.process), SIGSEGV)
        #expect(await eventually { !fixture.states.all.isEmpty })
        guard case .disconnected(.transportFailure(let cause))? = fixture.states.all.last else {
            Issue.record("\(fixture.states.all)")
            return
        }
        #expect(cause.code == "plugin_crashed")
        #expect(cause.description.contains("org.extentos.loopback"))
        #expect(cause.description.contains("signal 11"))
        #expect(await fixture.transport.microphone?.open { _ in }.failure?.code == "plugin_crashed")
        #expect(await fixture.transport.connect(deviceId: nil).success?.id == "virtual")
        #expect(await fixture.transport.microphone?.open { _ in }.failure == nil)
        await fixture.transport.shutdown()
    }

    @Test(
        "A shutdown ends the child's process, also one that was just killed or stopped",
        arguments: [0, SIGKILL, SIGSTOP])
    func leavesNoProcess(_ signal: Int32) async throws {
        let fixture = try await Fixture("silence")
        let process = try #require(fixture.child.process)
        Glibc.kill(process, signal)
        await fixture.transport.shutdown()
        #expect(await eventually { Glibc.kill(process, 0) == -1 && errno == ESRCH })
        #expect(fixture.child.process == nil)
        #expect(await fixture.transport.connect(deviceId: nil).failure?.code == "wrong_state")
    }

    @Test("A child that is let go without shutdown ends by itself")
    func endsWithOwner() async throws {
        var fixture: Fixture? = try await Fixture("silence")
        let process = try #require(fixture?.child.process)
        fixture = nil
        #expect(await eventually { Glibc.kill(process, 0) == -1 && errno == ESRCH })
    }

    @Test("Without its program no plugin is loaded, and never in this process instead")
    func needsProgram() async throws {
        var configuration = PluginHostConfiguration.test(
            [buildFolder + "/libLoopbackTransport.so"], isolation: .process)
        configuration.hostProgram = "/nowhere/glasses-plugin-host"
        let failure = await PluginHost(configuration: configuration).transport(id: "org.extentos.loopback").failure
        #expect(failure?.code == "plugin_host_missing")
    }
}
