import GlassesCore
import Synchronization
import Testing

@testable import glasses

@Suite("Bench device")
struct BenchDeviceTests {
    private let recording = BenchRecording(frames: 10)

    private func frame(_ number: UInt32) -> [Int16] {
        BenchMarker.samples(number) + [Int16](repeating: 1, count: BenchMarker.frame - BenchMarker.count)
    }

    private func openSpeaker() async -> (BenchSpeaker, Positions) {
        let (speaker, positions) = (BenchDevice(recording: recording).benchSpeaker, Positions())
        _ = await speaker.open { position in positions.add(position) }
        return (speaker, positions)
    }

    @Test("the loudspeaker takes 20 ms a tick and tells the marker, and -1 and -2 for silence and other audio")
    func ticks() async {
        let (speaker, positions) = await openSpeaker()
        speaker.tick()
        #expect(speaker.write((frame(3) + frame(4) + [1, 2, 3])[...]) == 963)
        for _ in 0..<5 { speaker.tick() }
        #expect(recording.record.played.map(\.second) == [-1, 3, 4, -2, -1, -1])
        #expect(positions.all.map(\.frame) == [0, 480, 960, 963])
        #expect(positions.all.map(\.isAdvancing) == [true, true, true, false])
        #expect(speaker.writtenFrames == 963)
    }

    @Test("a flush drops what was not taken, and answers how much was")
    func flush() async {
        let (speaker, _) = await openSpeaker()
        _ = speaker.write((frame(1) + frame(2) + frame(3))[...])
        speaker.tick()
        let position = await speaker.flush()
        #expect(position.frame == 480)
        #expect(!position.isAdvancing)
        #expect(speaker.writtenFrames == 1_440)
        speaker.tick()
        #expect(recording.record.played.map(\.second) == [1, -1])
        #expect(recording.record.flushes.count == 1)
        #expect(await speaker.flush().frame == 1_440)
        #expect(recording.record.flushes.count == 1, "Nothing was dropped the second time.")
    }

    @Test("the loudspeaker takes a second ahead and no more, for as long as it plays")
    func capacity() async {
        let (speaker, _) = await openSpeaker()
        #expect(speaker.writableFrames == 24_000)
        #expect(speaker.write([Int16](repeating: 0, count: 30_000)[...]) == 24_000)
        #expect(speaker.writableFrames == 0)
        for _ in 0..<200 {
            speaker.tick()
            #expect(speaker.write([Int16](repeating: 0, count: 1_000)[...]) == BenchMarker.frame)
        }
        #expect(speaker.writtenFrames == 24_000 + 200 * 480)
    }

    @Test("a closed microphone hears nothing")
    func closedMicrophone() async {
        let microphone = BenchDevice(recording: recording).benchMicrophone
        let blocks = Mutex<[PCMBlock]>([])
        microphone.hear(frame(0), frame: 0)
        async let opened: Void = microphone.opened()
        _ = await microphone.open { block in blocks.withLock { $0.append(block) } }
        await opened
        microphone.hear(frame(1), frame: 1)
        await microphone.close()
        microphone.hear(frame(2), frame: 2)
        #expect(blocks.withLock { $0.map(\.samples) } == [frame(1)])
        #expect(recording.record.microphone.map(\.second) == [1])
    }
}

private final class Positions: Sendable {
    private let storage = Mutex<[PlaybackPosition]>([])

    var all: [PlaybackPosition] { storage.withLock { $0 } }

    func add(_ position: PlaybackPosition) { storage.withLock { $0.append(position) } }
}
