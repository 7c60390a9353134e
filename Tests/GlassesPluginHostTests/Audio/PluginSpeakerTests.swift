import CGlassesPlugin
import Glibc
import GlassesDomain
import Synchronization
import Testing

@testable import GlassesPluginHost

/// A loudspeaker's plugin, played by hand: the test carries out what the [audio] thread of a plugin would.
private final class HandSpeaker: Sendable {
    let ring = Mutex<AudioRingMemory?>(nil)
    let flushes = Collected<Int64>()
    let errors = Collected<String>()
    let lines = Collected<String>()
    struct Handler {
        var body: @Sendable () -> Void = {}
    }

    let onFlush = Mutex(Handler())

    func speaker() -> PluginSpeaker {
        let monitor = CallMonitor(plugin: "org.example.hand", checking: .maximal, policy: .ignore) { _ in }
        return PluginSpeaker(
            sampleRate: 16_000, monitor: monitor,
            send: { [self] call in
                if case .startSpeaker(let stream) = call { ring.withLock { $0 = stream.ring } }
                return .success(())
            },
            flush: { [self] id, upTo in
                flushes.append(upTo)
                onFlush.withLock { $0.body }()
                carryOut(id, upTo)
            }, onError: { [self] in errors.append($0.code) }, log: { [self] in lines.append($0) })
    }

    private func carryOut(_ id: UInt64, _ upTo: Int64) {
        publish { ring, playback in
            glasses_ring_skip(ring, upTo)
            playback.flush_id = id
            playback.flushed_position = 300
            playback.flushed_t_ns = playback.played_t_ns
            playback.played_position = upTo
        }
    }

    func publish(_ change: (UnsafeMutablePointer<glasses_ring>, inout glasses_playback) -> Void) {
        guard let memory = ring.withLock({ $0 }) else { return }
        var playback = glasses_playback()
        playback.played_t_ns = SystemClock.now().nanoseconds
        change(memory.pointer, &playback)
        glasses_ring_publish(memory.pointer, &playback)
        var one: UInt64 = 1
        _ = write(memory.wakeDescriptor, &one, 8)
    }
}

@Suite("A plugin's loudspeaker")
struct PluginSpeakerTests {
    @Test("Audio written after a flush began is kept, and the flush answers what the device said")
    func keepsLaterAudio() async throws {
        let hand = HandSpeaker()
        let speaker = hand.speaker()
        #expect(await speaker.open { _ in }.failure == nil)
        #expect(speaker.write([Int16](repeating: 1, count: 1_000)[...]) == 1_000)
        hand.onFlush.withLock { $0.body = { _ = speaker.write([Int16](repeating: 2, count: 500)[...]) } }
        let cut = await speaker.flush()
        #expect(hand.flushes.all == [1_000])
        #expect(cut.frame == 300)
        #expect(hand.ring.withLock { $0 }?.read(2_000) == [Int16](repeating: 2, count: 500))
        #expect(speaker.writtenFrames == 1_500)
        await speaker.close()
        hand.onFlush.withLock { $0.body = {} }
    }

    @Test("A full loudspeaker takes what fits and drops nothing")
    func isBounded() async throws {
        let hand = HandSpeaker()
        let speaker = hand.speaker()
        _ = await speaker.open { _ in }
        #expect(speaker.writableFrames == 32_000)
        #expect(speaker.write([Int16](repeating: 1, count: 40_000)[...]) == 32_000)
        #expect(speaker.write([1, 2][...]) == 0)
        #expect(hand.ring.withLock { $0 }?.read(10).count == 10)
        #expect(speaker.writableFrames == 10)
        await speaker.close()
    }

    @Test("A loudspeaker that owes a report for a second is told once, and again only after it came back")
    func noticesSilence() async throws {
        let hand = HandSpeaker()
        let speaker = hand.speaker()
        let positions = Collected<PlaybackPosition>()
        _ = await speaker.open { positions.append($0) }
        _ = speaker.write([Int16](repeating: 1, count: 1_000)[...])
        #expect(await eventually { hand.errors.all == ["speaker_hung"] })
        hand.publish { _, playback in playback.played_position = 1_000 }
        #expect(await eventually { positions.all.last?.frame == 1_000 })
        _ = speaker.write([Int16](repeating: 1, count: 1_000)[...])
        #expect(await eventually { hand.errors.all == ["speaker_hung", "speaker_hung"] })
        await speaker.close()
    }

    @Test("What a stream lost is told when it is closed")
    func tellsLosses() async {
        let hand = HandSpeaker()
        let speaker = hand.speaker()
        _ = await speaker.open { _ in }
        hand.ring.withLock { $0 }?.pointer.pointee.xruns = 3
        await speaker.close()
        #expect(hand.lines.all == ["speaker_losses: 0 frames dropped, 3 times over- or underrun"])
    }

    @Test("Before it is open a loudspeaker takes nothing, and a flush answers at once")
    func isClosedFirst() async {
        let speaker = HandSpeaker().speaker()
        #expect(speaker.write([1][...]) == 0)
        #expect(speaker.writableFrames == 0)
        #expect(await speaker.flush().frame == 0)
        await speaker.close()
    }
}
