import GlassesPluginKit
import Glibc

/// Fills the host's ring from a capture PCM. [audio]: allocates, locks and logs nothing after its creation.
final class CaptureWorker: StreamWorker {
    private let device: LeasedDevice
    private let ring: AudioRing
    private let samples: UnsafeMutablePointer<Int16>
    private var watch: ProgressWatch
    private var lastTime: Int64 = 0

    /// Blocks are 10 to 20 ms, whatever period the device has.
    private static let shortestBlock = StreamFormat.frames(milliseconds: 10)
    private static let longestBlock = StreamFormat.frames(milliseconds: 20)
    /// A capture that was started and only has nothing to give yet counts as open after this: the source of an idle
    /// PulseAudio sink takes up to 2 s for its first frames, and loses nothing that is said meanwhile.
    private static let patience: Int64 = 1_000 * millisecond

    init(device: LeasedDevice) {
        self.device = device
        ring = device.ring
        samples = .allocate(capacity: Self.longestBlock)
        watch = ProgressWatch(at: monotonicNow())
    }

    deinit { samples.deallocate() }

    func run() throws(StreamEnding) {
        try start()
        let began = monotonicNow()
        while true {
            let hasMoved = try moveBlocks()
            let now = monotonicNow()
            if now - began >= Self.patience { device.report(.flowing) }
            if hasMoved { watch.moved(at: now) }
            if watch.hasStalled(at: now) { throw .device(StreamFailure(.stalled)) }
            // A device that woke us without a whole block gets half a period, or it would wake us at once again.
            let period = min(device.periodTime, StreamFormat.nanoseconds(frames: Self.longestBlock))
            try device.wait(isForDevice: hasMoved, isForKick: false, nanoseconds: hasMoved ? 2 * period : period / 2)
        }
    }

    private func start() throws(StreamEnding) {
        let started = try device.outside { $0.start() }
        guard started >= 0 || started == -EBADFD else { throw .device(StreamFailure(alsa: started)) }
    }

    /// Moves whole blocks until the device has none; true when there were any.
    private func moveBlocks() throws(StreamEnding) -> Bool {
        var hasMoved = false
        while true {
            switch try device.available() {
            case .frames(let count) where count >= Self.shortestBlock:
                guard try moveBlock(count) else { return hasMoved }
                hasMoved = true
            case .frames, .nothing: return hasMoved
            case .restarted: try start()
            }
        }
    }

    private func moveBlock(_ available: Int) throws(StreamEnding) -> Bool {
        let delay = try device.outside { $0.delay() }
        let time = monotonicNow() - StreamFormat.nanoseconds(frames: max(delay, available))
        switch try device.read(samples, min(available, Self.longestBlock)) {
        case .frames(let count):
            guard count > 0 else { return false }
            // Delays jitter by a few milliseconds; times never run backwards.
            lastTime = max(time, lastTime + 1)
            ring.write(samples, count: UInt32(count), time: lastTime)
            ring.signal()
            device.report(.flowing)
            return true
        case .nothing: return false
        case .restarted:
            try start()
            return false
        }
    }
}
