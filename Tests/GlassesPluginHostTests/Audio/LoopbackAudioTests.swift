import Foundation
import GlassesDomain
import Synchronization
import Testing

@testable import GlassesPluginHost

@Suite("The audio path through the C plugin, in real time")
struct LoopbackAudioTests {
    private static let rate = 16_000

    private func transport(_ isolation: PluginIsolation, _ mode: String) async throws -> any GlassesTransport {
        var configuration = PluginHostConfiguration.test(
            [buildFolder + "/libLoopbackTransport.so"], isolation: isolation)
        configuration.flushLimit = .seconds(10)
        let host = PluginHost(configuration: configuration)
        let result = await host.transport(
            id: "org.extentos.loopback", settings: ["mode": .string(mode), "sampleRate": .int(Int64(Self.rate))])
        let transport = try #require(result.success, "\(String(describing: result.failure))")
        _ = await transport.connect(deviceId: nil)
        return transport
    }

    @Test(
        "Silence arrives at the pace of the clock, and what is played takes its time", arguments: PluginIsolation.both)
    func isPaced(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, "silence")
        let frames = Collected<Int>()
        let positions = Collected<PlaybackPosition>()
        let (microphone, speaker) = (try #require(transport.microphone), try #require(transport.speaker))
        _ = await microphone.open { block in
            frames.append(block.samples.allSatisfy { $0 == 0 } ? block.samples.count : -1_000_000)
        }
        _ = await speaker.open { positions.append($0) }
        let begin = SystemClock.now()
        #expect(speaker.write([Int16](repeating: 9, count: Self.rate / 2)[...]) == Self.rate / 2)
        #expect(await eventually { positions.all.last.map { $0.frame == Self.rate / 2 && !$0.isAdvancing } ?? false })
        let took = try #require(positions.all.last).time
        await transport.shutdown()
        let length = begin.duration(to: took).seconds
        #expect(length > 0.48)
        let heard = Double(frames.all.reduce(0, +)) / Double(Self.rate)
        #expect(heard >= length - 0.05)
        for (earlier, later) in zip(positions.all, positions.all.dropFirst()) {
            #expect(earlier.frame <= later.frame && earlier.time <= later.time)
            let played = Double(later.frame - earlier.frame) / Double(Self.rate)
            #expect(played <= earlier.time.duration(to: later.time).seconds + 0.001)
        }
    }

    @Test(
        "After a flush the microphone has heard exactly the frames that the flush names, 100 times at random moments",
        arguments: PluginIsolation.both)
    func flushesExactly(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, "loopback")
        let (microphone, speaker) = (try #require(transport.microphone), try #require(transport.speaker))
        let heard = Mutex<[Int16: Int]>([:])
        _ = await microphone.open { block in
            heard.withLock { heard in for sample in block.samples where sample != 0 { heard[sample, default: 0] += 1 } }
        }
        _ = await speaker.open { _ in }
        var generator = SystemRandomNumberGenerator()
        var expected: [Int16: Int] = [:]
        for round in Int16(1)...100 {
            let before = speaker.writtenFrames
            let count = Int.random(in: 1_600...6_400, using: &generator)
            #expect(speaker.write([Int16](repeating: round, count: count)[...]) == count)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...80, using: &generator)))
            let cut = await speaker.flush()
            #expect((before...before + Int64(count)).contains(cut.frame))
            #expect(!cut.isAdvancing)
            if cut.frame > before { expected[round] = Int(cut.frame - before) }
        }
        await microphone.close()
        await transport.shutdown()
        // The microphone's last block may not have been full when it was closed.
        let final = heard.withLock { $0 }
        for round in Int16(1)...99 { #expect(final[round] == expected[round], "round \(round)") }
    }

    @Test(
        "A stream can be closed and opened again, and a second open of an open one is refused",
        arguments: PluginIsolation.both)
    func reopens(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, "silence")
        let (microphone, speaker) = (try #require(transport.microphone), try #require(transport.speaker))
        for _ in 0..<5 {
            let blocks = Collected<Int>()
            #expect(await microphone.open { blocks.append($0.samples.count) }.failure == nil)
            #expect(await microphone.open { _ in }.failure?.code == "already_open")
            #expect(await speaker.open { _ in }.failure == nil)
            #expect(speaker.writtenFrames == 0)
            #expect(await eventually { blocks.all.count > 2 })
            await microphone.close()
            let count = blocks.all.count
            await speaker.close()
            #expect(speaker.write([1][...]) == 0)
            #expect(blocks.all.count == count)
        }
        await transport.shutdown()
    }

    @Test(
        "Settings of the wrong kind are refused",
        arguments: [["mode": "shout"], ["sampleRate": "fast"], ["sampleRate": 1], ["latencyMs": 1_000_000]]
            as [JSONValue], PluginIsolation.both)
    func checksSettings(_ settings: JSONValue, _ isolation: PluginIsolation) async throws {
        let host = PluginHost(
            configuration: .test([buildFolder + "/libLoopbackTransport.so"], isolation: isolation))
        let failure = await host.transport(id: "org.extentos.loopback", settings: settings).failure
        #expect(failure?.code == "invalid_argument")
    }

    @Test("Unknown settings are ignored, whatever they hold", arguments: PluginIsolation.both)
    func ignoresUnknownSettings(_ isolation: PluginIsolation) async throws {
        let host = PluginHost(
            configuration: .test([buildFolder + "/libLoopbackTransport.so"], isolation: isolation))
        let settings: JSONValue = [
            "x": ["a": [1, -2.5e3, "}\"]", nil, true], "b": [:]], "y": [], "sampleRate": 8_000, "z": "\\",
        ]
        let transport = try #require(await host.transport(id: "org.extentos.loopback", settings: settings).success)
        #expect(transport.facts.speakerRate == 8_000)
        await transport.shutdown()
    }
}
