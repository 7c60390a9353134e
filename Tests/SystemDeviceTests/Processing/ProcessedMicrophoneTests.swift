import CGlassesPlugin
import GlassesPluginKit
import Glibc
import SoundServer
import Synchronization
import Testing

@testable import SystemDeviceStreams

extension RealTimeTests {
    /// The thread between the capture ring and the host's ring, with a device that hears a level and a processor of the test.
    @Suite struct ProcessedMicrophoneTests {
        @Test func whatIsProcessedReachesTheHostWithTheTimeOfItsSound() async throws {
            let (ring, begin) = (TestRing(), monotonicNow())
            let microphone = Self.microphone { Halving() }
            #expect(await Self.start(microphone, ring) == nil)
            let samples = await ring.collect(48_000, within: 5)
            let end = monotonicNow()
            #expect(await Self.stop(microphone) == nil)
            #expect(samples.count >= 48_000)
            #expect(samples.allSatisfy { $0 == 4_000 })
            let marks = ring.marks
            #expect(marks.allSatisfy { $0.t_ns > begin - 400 * millisecond && $0.t_ns < end - 100 * millisecond })
            #expect(zip(marks, marks.dropFirst()).allSatisfy { $1.frame - $0.frame == 480 && $1.t_ns > $0.t_ns })
            microphone.shutdown()
            microphone.awaitEnd()
        }

        @Test func whatCannotBeProcessedInTimeIsDroppedAndCounted() async throws {
            let ring = TestRing()
            // Twice as slow as what comes.
            let microphone = Self.microphone { Halving(delay: 20_000) }
            #expect(await Self.start(microphone, ring) == nil)
            #expect(await eventually(within: 15) { ring.dropped > 0 })
            let samples = ring.take()
            #expect(await Self.stop(microphone) == nil)
            #expect(samples.allSatisfy { $0 == 4_000 })
            microphone.shutdown()
            microphone.awaitEnd()
        }

        @Test func framesThatFailAreNotHeardAndAProcessorThatFailsForASecondIsReplaced() async throws {
            let ring = TestRing()
            let made = Atomic(0)
            let microphone = Self.microphone {
                let isFirst = made.add(1, ordering: .relaxed).oldValue == 0
                return isFirst ? Failing() as any FrameProcessing : Halving()
            }
            #expect(await Self.start(microphone, ring) == nil)
            let samples = await ring.collect(4_800, within: 10)
            #expect(await Self.stop(microphone) == nil)
            #expect(made.load(ordering: .relaxed) == 2)
            #expect(ring.dropped >= 48_000)
            #expect(samples.count >= 4_800)
            #expect(samples.allSatisfy { $0 == 4_000 })
            microphone.shutdown()
            microphone.awaitEnd()
        }

        @Test func aMicrophoneStartsAgainAfterItsStopAndNotTwiceAtOnce() async throws {
            let microphone = Self.microphone { Halving() }
            for _ in 0..<3 {
                let ring = TestRing()
                #expect(await Self.start(microphone, ring) == nil)
                #expect(await Self.start(microphone, TestRing())?.code == "wrong_state")
                #expect(await ring.collect(4_800, within: 5).count >= 4_800)
                #expect(await Self.stop(microphone) == nil)
                let written = ring.written
                try await Task.sleep(for: .milliseconds(50))
                #expect(ring.written == written, "the ring is the host's after the stop")
            }
            #expect(await Self.stop(microphone) == nil)
            microphone.shutdown()
            microphone.awaitEnd()
        }

        @Test func overrunsOfTheDeviceAreCountedInTheHostsRing() async throws {
            let ring = TestRing()
            let microphone = Self.microphone(overruns: 3) { Halving() }
            #expect(await Self.start(microphone, ring) == nil)
            #expect(await eventually(within: 5) { ring.xruns == 3 })
            #expect(await ring.collect(9_600, within: 5).allSatisfy { $0 == 4_000 })
            #expect(await Self.stop(microphone) == nil)
            microphone.shutdown()
            microphone.awaitEnd()
        }

        @Test func aDeviceThatCannotBeOpenedRefusesTheStartAndAllowsTheNext() async throws {
            let isThere = Atomic(false)
            let driver = Self.driver {
                isThere.load(ordering: .relaxed) ? .success(LevelDevice()) : .failure(StreamFailure(.missing))
            }
            let microphone = ProcessedMicrophone(driver) { Halving() }
            #expect(await Self.start(microphone, TestRing())?.code == "device_missing")
            isThere.store(true, ordering: .relaxed)
            #expect(await Self.start(microphone, TestRing()) == nil)
            #expect(await Self.stop(microphone) == nil)
            microphone.shutdown()
            microphone.awaitEnd()
        }

        // MARK: Parts

        private static func microphone(
            overruns: Int = 0, make: @escaping @Sendable () -> (any FrameProcessing)?
        ) -> ProcessedMicrophone {
            ProcessedMicrophone(driver { .success(LevelDevice(overruns: overruns)) }, make: make)
        }

        private static func driver(
            open: @escaping @Sendable () -> Result<any PCMDevice, StreamFailure>
        ) -> StreamDriver {
            StreamDriver(
                port: .microphone("level"),
                job: { _ in StreamJob(threadName: "level", open: open, work: { CaptureWorker(device: $0) }) },
                reports: .init(lost: { _ in }, back: {}, log: { _ in }))
        }

        private static func start(_ microphone: ProcessedMicrophone, _ ring: TestRing) async -> PluginFailure? {
            await withCheckedContinuation { done in microphone.start(ring.view) { done.resume(returning: $0) } }
        }

        private static func stop(_ microphone: ProcessedMicrophone) async -> PluginFailure? {
            await withCheckedContinuation { done in microphone.stop { done.resume(returning: $0) } }
        }
    }
}

/// Halves every sample, and says that it holds sounds back for 200 ms.
private final class Halving: FrameProcessing {
    let latency = 200 * millisecond
    private let delay: UInt32

    /// A processor that takes `delay` microseconds for a frame.
    init(delay: UInt32 = 0) { self.delay = delay }

    func process(_ samples: UnsafeMutablePointer<Int16>, capturedAt time: Int64) -> Bool {
        if delay > 0 { usleep(delay) }
        for index in 0..<frameLength { samples[index] /= 2 }
        return true
    }
}

/// Fails every frame.
private final class Failing: FrameProcessing {
    let latency: Int64 = 0
    func process(_ samples: UnsafeMutablePointer<Int16>, capturedAt time: Int64) -> Bool { false }
}

/// A capture device in memory that hears one level in real time.
private final class LevelDevice: PCMDevice {
    let periodFrames = 480
    let bufferFrames = 9_600
    private var began = monotonicNow()
    private var taken = 0
    private var overrunsLeft: Int

    init(overruns: Int = 0) { overrunsLeft = overruns }

    private var elapsed: Int { Int((monotonicNow() - began) * 48 / 1_000_000) }

    func available() -> Int {
        if overrunsLeft > 0, elapsed > 4_800 {
            overrunsLeft -= 1
            return -Int(EPIPE)
        }
        return min(elapsed - taken, bufferFrames)
    }

    func delay() -> Int { max(0, elapsed - taken) }

    func read(_ samples: UnsafeMutablePointer<Int16>, _ count: Int) -> Int {
        samples.update(repeating: 8_000, count: count)
        taken += count
        return count
    }

    func write(_ samples: UnsafePointer<Int16>, _ count: Int) -> Int { -Int(EBADFD) }
    func start() -> Int32 { 0 }
    func drop() -> Int32 { 0 }

    func prepare() -> Int32 {
        began = monotonicNow()
        taken = 0
        return 0
    }

    func resume() -> Int32 { 0 }

    func wait(isForDevice: Bool, _ first: Int32, _ second: Int32, nanoseconds: Int64) {
        var entries = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, 2, wholeMilliseconds(nanoseconds))
    }

    func close() {}
}
