import GlassesAudio
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct PlaybackOutputTests {
    private static let segment = PlayoutSegmentID(responseID: "r1", itemID: "a1", contentIndex: 0)

    @Test func aLoudspeakerThatCannotBeOpenedEndsWhatWasAcceptedMeanwhile() async {
        let clock = ManualClock()
        let output = PlaybackOutput(clock: clock.port, events: .forTests(clock), recorder: nil)
        let told = Mutex<[PlaybackEvent]>([])
        output.setListener { event in told.withLock { $0.append(event) } }
        let ended = Mutex<[Bool]>([])
        let speaker = RefusingSpeaker {
            #expect(output.play([Int16](repeating: 1, count: 480), of: Self.segment))
            output.play(PlaybackSound(name: "ring", samples: [1, 2, 3], sampleRate: 24_000)) { wasHeard in
                ended.withLock { $0.append(wasHeard) }
            }
        }
        await output.setPort(speaker)
        await output.setConnected(true)
        #expect(!output.isOpen)
        #expect(!output.isVoiceLive)
        #expect(ended.withLock { $0 } == [false])
        #expect(told.withLock { $0 } == [.drained])
        output.play(PlaybackSound(name: "ring", samples: [1], sampleRate: 24_000)) { wasHeard in
            ended.withLock { $0.append(wasHeard) }
        }
        #expect(ended.withLock { $0 } == [false, false], "a closed loudspeaker refuses a sound at once")
    }

    @Test func aLostDeviceEndsSoundsAsNotHeard() async {
        let clock = ManualClock()
        let device = SimulatedDevice(clock: clock.port)
        let output = PlaybackOutput(clock: clock.port, events: .forTests(clock), recorder: nil)
        await output.setPort(device.simulatedSpeaker)
        await output.setConnected(true)
        let ended = Mutex<[Bool]>([])
        output.play(
            PlaybackSound(name: "ring", samples: [Int16](repeating: 1, count: 2_400), sampleRate: 24_000)
        ) { wasHeard in ended.withLock { $0.append(wasHeard) } }
        #expect(ended.withLock { $0 }.isEmpty)
        await output.setConnected(false)
        #expect(ended.withLock { $0 } == [false])
    }
}

/// A loudspeaker that refuses to open, after the test did something meanwhile.
private final class RefusingSpeaker: SpeakerPort {
    let sampleRate = 24_000
    let writableFrames = 0
    let writtenFrames: Int64 = 0
    private let meanwhile: @Sendable () -> Void

    init(meanwhile: @escaping @Sendable () -> Void) { self.meanwhile = meanwhile }

    func open(_ onPosition: @escaping @Sendable (PlaybackPosition) -> Void) async -> ExtentosResult<Void, AudioError> {
        meanwhile()
        return .failure(.platformError(code: "device_busy", message: "The loudspeaker is busy."))
    }

    func write(_ samples: ArraySlice<Int16>) -> Int { 0 }
    func flush() async -> PlaybackPosition { PlaybackPosition(frame: 0, time: .zero, isAdvancing: false) }
    func close() async {}
}
