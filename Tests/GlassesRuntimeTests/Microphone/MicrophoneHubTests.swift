import GlassesAudio
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct MicrophoneHubTests {
    private let clock = ManualClock()
    private let device: SimulatedDevice

    init() { device = SimulatedDevice(clock: clock.port, microphoneRate: 16_000) }

    private func hub(recorder: (@Sendable (PCMBlock) -> Void)? = nil) async -> MicrophoneHub {
        let hub = MicrophoneHub(events: .forTests(clock), recorder: recorder)
        await hub.setPort(device.simulatedMicrophone)
        await hub.setConnected(true)
        return hub
    }

    private func hear(blocks: Int) {
        for _ in 0..<blocks { device.simulatedMicrophone.hear([Int16](repeating: 1_000, count: 320)) }
    }

    @Test func theMicrophoneIsOpenOnlyWhileSomebodyListens() async {
        let hub = await hub()
        #expect(!device.simulatedMicrophone.isOpen)
        let (first, second) = (Listening(16_000), Listening(16_000))
        let firstID = await hub.listen(first.listener).id
        let secondID = await hub.listen(second.listener).id
        #expect(device.simulatedMicrophone.isOpen)
        await hub.stop(firstID)
        #expect(device.simulatedMicrophone.isOpen, "the other one still listens")
        hear(blocks: 1)
        #expect(first.samples.isEmpty)
        #expect(second.samples.count == 320)
        await hub.stop(secondID)
        #expect(!device.simulatedMicrophone.isOpen)
    }

    @Test func listenersOfDifferentRatesEachHearTheSameSecondAtTheirOwnRate() async {
        let hub = await hub()
        let (native, provider, low) = (Listening(16_000), Listening(24_000), Listening(8_000))
        for listening in [native, provider, low] { _ = await hub.listen(listening.listener) }
        hear(blocks: 50)
        #expect(native.samples == [Int16](repeating: 1_000, count: 16_000))
        for (listening, rate) in [(provider, 24_000), (low, 8_000)] {
            #expect(listening.samples.count <= rate)
            #expect(listening.samples.count > rate - rate / 50, "less the resampler's delay")
            #expect(abs(Int(listening.samples[rate / 2]) - 1_000) <= 10)
        }
    }

    @Test func aClosedGateReleasesTheMicrophoneTellsTheListenersAndReopensIt() async {
        let hub = await hub()
        let listening = Listening(16_000)
        _ = await hub.listen(listening.listener)
        hear(blocks: 1)
        await hub.setGate(.closed(toggle: "privacy_mode"))
        #expect(!device.simulatedMicrophone.isOpen)
        #expect(listening.interruptions == 1)
        hear(blocks: 1)
        #expect(listening.samples.count == 320)
        await hub.setGate(.open)
        #expect(device.simulatedMicrophone.isOpen)
        hear(blocks: 1)
        #expect(listening.samples.count == 640)
    }

    @Test func aListenerBehindAClosedGateOrWithoutADeviceIsToldWhy() async {
        let hub = await hub()
        await hub.setGate(.closed(toggle: "privacy_mode"))
        let gated = await hub.listen(Listening(16_000).listener)
        #expect(gated.result.failure == .disabledByUser(toggle: "privacy_mode"))
        await hub.setGate(.open)
        await hub.setConnected(false)
        let lost = await hub.listen(Listening(16_000).listener)
        #expect(lost.result.failure == .notConnected)
        await hub.setConnected(true)
        #expect(device.simulatedMicrophone.isOpen, "both listen as soon as it is possible")
    }

    @Test func injectedSpeechIsHeardOnceOverTheMicrophone() async {
        let hub = await hub()
        #expect(!hub.inject(PCMBlock(samples: [1], sampleRate: 16_000)), "nobody listens")
        let listening = Listening(16_000)
        _ = await hub.listen(listening.listener)
        #expect(hub.inject(PCMBlock(samples: [1, 2, 3], sampleRate: 16_000)))
        hear(blocks: 2)
        #expect(Array(listening.samples[..<4]) == [1_001, 1_002, 1_003, 1_000])
        #expect(listening.samples[320] == 1_000)
    }

    @Test func aMinuteOfInjectedSpeechMayWaitAndNoMore() async {
        let hub = await hub()
        _ = await hub.listen(Listening(16_000).listener)
        let minute = PCMBlock(samples: [Int16](repeating: 0, count: 960_000), sampleRate: 16_000)
        #expect(hub.inject(minute))
        #expect(!hub.inject(PCMBlock(samples: [0], sampleRate: 16_000)))
        hear(blocks: 1)
        let heardLength = PCMBlock(samples: [Int16](repeating: 0, count: 320), sampleRate: 16_000)
        #expect(hub.inject(heardLength), "20 ms were heard")
        #expect(!hub.inject(PCMBlock(samples: [0], sampleRate: 16_000)))
        #expect(!hub.inject(PCMBlock(samples: [0], sampleRate: 0)), "no such rate")
    }

    @Test func aRecorderMayCallTheHubAndGetsBlocksInOrder() async {
        let recorded = Mutex<[Int16]>([])
        let target = Mutex<MicrophoneHub?>(nil)
        let hub = await hub { block in
            recorded.withLock { $0.append(contentsOf: block.samples) }
            _ = target.withLock { $0 }?.inject(PCMBlock(samples: [1], sampleRate: 16_000))
        }
        target.withLock { $0 = hub }
        _ = await hub.listen(Listening(16_000).listener)
        device.simulatedMicrophone.hear([10, 20])
        device.simulatedMicrophone.hear([30, 40])
        #expect(recorded.withLock { $0 } == [10, 20, 31, 40])
        target.withLock { $0 = nil }
    }
}

/// A listener that keeps what it hears.
private final class Listening: Sendable {
    private let rate: Int
    private let heard = Mutex<[Int16]>([])
    private let gaps = Mutex(0)

    init(_ rate: Int) { self.rate = rate }

    var samples: [Int16] { heard.withLock { $0 } }
    var interruptions: Int { gaps.withLock { $0 } }

    var listener: MicrophoneHub.Listener {
        MicrophoneHub.Listener(
            sampleRate: rate, deliver: { [self] samples, _ in heard.withLock { $0.append(contentsOf: samples) } },
            interrupted: { [self] in gaps.withLock { $0 += 1 } })
    }
}
