import CGlassesPlugin
import GlassesPluginKit
import SoundServer
import Synchronization

@testable import SystemDeviceStreams

/// One stream with everything that it reports, driven as the host drives it.
final class StreamHarness: Sendable {
    enum Report: Equatable {
        case lost(String)
        case back
    }

    private final class Log: Sendable {
        let reports = Mutex<[Report]>([])

        var reportSink: StreamDriver.Reports {
            .init(
                lost: { failure in self.reports.withLock { $0.append(.lost(failure.code)) } },
                back: { self.reports.withLock { $0.append(.back) } },
                log: { _ in })
        }
    }

    let driver: StreamDriver
    let ring: TestRing
    private let log: Log

    /// The stream of an ALSA device.
    init(
        _ port: StreamPort, timing: StreamTiming = StreamTiming(periodMs: 10, bufferMs: 50), ring: TestRing = TestRing()
    ) {
        let log = Log()
        self.log = log
        self.ring = ring
        driver = StreamDriver(port: port, timing: timing, reports: log.reportSink)
    }

    /// The stream of a device that the test made.
    init(_ port: StreamPort, job: (FlushRequests) -> StreamJob) {
        let log = Log()
        self.log = log
        ring = TestRing()
        driver = StreamDriver(port: port, job: job, reports: log.reportSink)
    }

    /// Losses and returns so far.
    var reports: [Report] { log.reports.withLock { $0 } }

    /// Starts the stream; nil when it went well.
    func start() async -> PluginFailure? {
        await withCheckedContinuation { done in driver.start(ring.view) { done.resume(returning: $0) } }
    }

    /// Stops it.
    @discardableResult
    func stop() async -> PluginFailure? {
        await withCheckedContinuation { done in driver.stop { done.resume(returning: $0) } }
    }

    /// Cuts everything written so far and answers after how many milliseconds the position was read; nil without an
    /// answer in 3 s. The plugin's own times count: a test's task may be late on a busy machine.
    func flush(_ id: UInt64) async -> Double? {
        let began = monotonicNow()
        driver.flush(id, upTo: ring.written)
        guard await eventually(within: 3, { ring.playback.flush_id == id }) else { return nil }
        return Double(ring.playback.flushed_t_ns - began) / Double(millisecond)
    }

    /// Ends the stream's threads.
    func end() {
        driver.shutdown()
        driver.awaitEnd()
    }
}
