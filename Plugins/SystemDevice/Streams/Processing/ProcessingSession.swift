import CGlassesPlugin
import GlassesPluginKit
import Synchronization

/// The thread between a capture ring and the host's ring, from one start of the microphone to its stop.
///
/// It makes no device call and so ends within a frame when it is asked to. What it cannot process in time is dropped, the
/// oldest first, and counted: audio with the echo still in it is never handed on.
final class ProcessingSession: Sendable {
    /// What may wait to be processed before the oldest of it is dropped…
    private static let backlogLimit = StreamFormat.frames(milliseconds: 500)
    /// …down to this.
    private static let backlogKept = StreamFormat.frames(milliseconds: 100)
    /// The longest wait for audio. The capture thread signals each block; this only bounds the wait.
    private static let interval: Int64 = 100 * millisecond
    /// Frames in a row that fail before the processor is made anew: a second.
    private static let failureLimit = 100

    /// The longest wait for the thread's end. It makes no call that waits, so this bounds a machine under load.
    private static let endLimit: Int64 = 300 * millisecond

    private enum State {
        case ready
        case running
        case over
    }

    private struct Life {
        var state = State.ready
        var endings: [@Sendable () -> Void] = []
    }

    let capture = CaptureRing()
    private let host: AudioRing
    private let make: @Sendable () -> (any FrameProcessing)?
    private let isAskedToEnd = Atomic(false)
    private let life = Mutex(Life())
    private let finished = EventSignal()

    /// A session that writes to `host`, with processors from `make`, which is called on its thread, again after failures.
    init(host: AudioRing, make: @escaping @Sendable () -> (any FrameProcessing)?) {
        self.host = host
        self.make = make
    }

    /// Starts the thread; false when the system has none left.
    func start() -> Bool {
        life.withLock { $0.state = .running }
        if DetachedThread.spawn(named: "mic processing", { self.run() }) { return true }
        life.withLock { $0.state = .ready }
        return false
    }

    /// Ends the thread; the host's ring is not touched after `ending`. [any]
    func end(_ ending: @escaping @Sendable () -> Void) {
        isAskedToEnd.store(true, ordering: .releasing)
        let isRunning = life.withLock { life in
            guard life.state == .running else { return false }
            life.endings.append(ending)
            return true
        }
        if isRunning { capture.signal.signal() } else { ending() }
    }

    /// Waits for the thread's end: some milliseconds.
    func awaitEnd() {
        guard life.withLock({ $0.state == .running }) else { return }
        finished.wait(nanoseconds: Self.endLimit)
    }

    private func run() {
        work()
        let endings = life.withLock { life in
            life.state = .over
            defer { life.endings.removeAll() }
            return life.endings
        }
        let tell: @Sendable () -> Void = { [finished] in
            for ending in endings { ending() }
            finished.signal()
        }
        // Not from here where it can be helped: no callback comes from a thread that writes the host's ring.
        if endings.isEmpty || !DetachedThread.spawn(named: "mic ended", tell) { tell() }
    }

    private func work() {
        var processor = make()
        var failures = 0
        let frame = UnsafeMutablePointer<Int16>.allocate(capacity: frameLength)
        defer { frame.deallocate() }
        while !isAskedToEnd.load(ordering: .acquiring) {
            capture.signal.wait(nanoseconds: Self.interval)
            forwardLosses()
            while !isAskedToEnd.load(ordering: .acquiring), let time = capture.take(frame) {
                if let processor, processor.process(frame, capturedAt: time) {
                    failures = 0
                    host.write(frame, count: UInt32(frameLength), time: time - processor.latency)
                    host.signal()
                } else {
                    drop(frameLength)
                    failures += 1
                    if failures % Self.failureLimit == 0 { processor = make() }
                }
                dropBacklog()
            }
        }
    }

    private func dropBacklog() {
        guard capture.waiting > Self.backlogLimit else { return }
        drop(capture.dropOldest(keeping: Self.backlogKept))
    }

    private func forwardLosses() {
        let losses = capture.takeLosses()
        if losses.xruns > 0 { glasses_ring_add(&host.pointer.pointee.xruns, losses.xruns) }
        drop(Int(losses.dropped))
    }

    private func drop(_ samples: Int) {
        if samples > 0 { glasses_ring_add(&host.pointer.pointee.dropped, Int64(samples)) }
    }
}
