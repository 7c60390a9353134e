import GlassesPluginKit
import Synchronization
import SystemDeviceStreams

/// The stream of one source: carries out what ``CameraStreamStateMachine`` decides, with a thread for each start.
package final class CameraDriver: Sendable {
    /// How the stream tells its host what happened.
    package struct Reports: Sendable {
        /// The stream stopped by itself; the ring is not touched any more.
        package var stopped: @Sendable (PluginFailure) -> Void
        /// A line for the log.
        package var log: @Sendable (String) -> Void

        package init(
            stopped: @escaping @Sendable (PluginFailure) -> Void, log: @escaping @Sendable (String) -> Void
        ) {
            self.stopped = stopped
            self.log = log
        }
    }

    /// The end of a request: nil when it went well.
    package typealias Ending = @Sendable (PluginFailure?) -> Void

    /// A source gives up by itself after ``V4L2Source/firstPictureLimit``; the ABI allows 12 s.
    static let startLimit: Int64 = 11_000 * millisecond
    /// The ABI allows a stop 3 s, and a disconnect, which stops too, 2 s.
    static let stopLimit: Int64 = 1_500 * millisecond

    /// One start: its thread's tools.
    private final class Run: Sendable {
        let configuration: CameraConfiguration
        let writer: FrameWriter
        let stop = StopSignal()
        let ended = StopSignal()

        init(_ configuration: CameraConfiguration, _ writer: FrameWriter) {
            self.configuration = configuration
            self.writer = writer
        }
    }

    private struct State {
        var machine = CameraStreamStateMachine()
        var run: Run?
        var start: Ending?
        var stops: [Ending] = []
    }

    package let source: any CameraSource
    private let reports: Reports
    private let state = Mutex(State())

    /// A stream that is not started.
    package init(_ source: any CameraSource, reports: Reports) {
        self.source = source
        self.reports = reports
    }

    /// Begins to write pictures into `ring`; `ending` comes with the first one, or with the reason why there is none, within 11 s.
    /// [any]
    package func start(_ configuration: CameraConfiguration, _ ring: VideoRing, ending: @escaping Ending) {
        let refusal: PluginFailure? = state.withLock { state in
            let actions = state.machine.apply(.startRequested)
            if case .refuseStart(let failure)? = actions.first { return failure }
            let writer = FrameWriter(ring) { [weak self] in self?.apply(.firstPictureStored) }
            state.run = Run(configuration, writer)
            state.start = ending
            return nil
        }
        if let refusal { return ending(refusal) }
        begin()
    }

    /// Ends the stream; after `ending`, within 1.5 s, the ring is not touched again. [any]
    package func stop(ending: @escaping Ending) {
        state.withLock { $0.stops.append(ending) }
        apply(.stopRequested)
    }

    /// Ends the stream for good, within 2 s; the ring is not touched afterwards.
    package func shutdown() {
        let done = StopSignal()
        stop { _ in done.set() }
        _ = done.wait(until: monotonicNow() + Self.stopLimit + 500 * millisecond)
    }

    private func begin() {
        guard let run = state.withLock({ $0.run }) else { return }
        let started = DetachedThread.spawn(named: "camera") { [self] in
            let failure = source.stream(run.configuration, to: run.writer, until: run.stop)
            tell(run)
            run.ended.set()
            apply(.sourceEnded(failure))
        }
        guard started else { return apply(.sourceEnded(.noCameraThread)) }
        watch(run, Self.startLimit, .startLimitPassed)
    }

    /// Tells `passed` once `limit` is over: a thread in a driver's hands cannot look after itself.
    private func watch(_ run: Run, _ limit: Int64, _ passed: CameraStreamStateMachine.Input) {
        let started = DetachedThread.spawn(named: "camera watch") { [weak self] in
            guard run.ended.wait(until: monotonicNow() + limit) == .timePassed else { return }
            self?.apply(passed, of: run)
        }
        if !started { reports.log("\(source.name): no thread watches over its start or stop") }
    }

    private func apply(_ input: CameraStreamStateMachine.Input, of run: Run? = nil) {
        var due: [() -> Void] = []
        state.withLock { state in
            // What is told of an earlier run says nothing of this one.
            if let run, state.run !== run { return }
            for action in state.machine.apply(input) { due += perform(action, &state) }
            if state.machine.state == .idle { state.run = nil }
        }
        for action in due { action() }
    }

    /// Carries an action out, and answers what is to be called when the lock is free.
    private func perform(_ action: CameraStreamStateMachine.Action, _ state: inout State) -> [() -> Void] {
        switch action {
        case .beginSource, .refuseStart: return []
        case .endSource:
            guard let run = state.run else { return [] }
            run.writer.close()
            run.stop.set()
            guard case .stopping = state.machine.state else { return [] }
            return [{ [self] in watch(run, Self.stopLimit, .stopLimitPassed) }]
        case .endStart(let failure):
            defer { state.start = nil }
            return [state.start].compactMap { $0 }.map { ending in { ending(failure) } }
        case .endStops(let failure):
            defer { state.stops = [] }
            return state.stops.map { ending in { ending(failure) } }
        case .reportStopped(let failure): return [{ [reports] in reports.stopped(failure) }]
        }
    }

    private func tell(_ run: Run) {
        let counts = run.writer.counts
        reports.log(
            "\(source.name): \(counts.written) pictures, \(counts.lost) lost by the camera, \(counts.broken) broken")
    }
}
