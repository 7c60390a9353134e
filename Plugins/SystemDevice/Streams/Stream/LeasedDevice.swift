import GlassesPluginKit
import Glibc

/// Why a worker stops.
enum StreamEnding: Error {
    /// The ring was taken away, or the stream has to end.
    case lease
    case device(StreamFailure)
}

/// A device whose calls are made outside the lease, and mended where they can be. [audio]: allocates, locks and logs nothing.
final class LeasedDevice {
    /// What came of a call that moves frames.
    enum Moved: Equatable {
        case frames(Int)
        /// None now: try later.
        case nothing
        /// The device ran over or dry and was prepared again: it is empty.
        case restarted
    }

    let ring: AudioRing
    private let device: any PCMDevice
    private let lease: StreamLease
    private var xruns = XrunRate()

    init(device: any PCMDevice, ring: AudioRing, lease: StreamLease) {
        self.device = device
        self.ring = ring
        self.lease = lease
    }

    var periodFrames: Int { device.periodFrames }
    var bufferFrames: Int { device.bufferFrames }
    /// How long a period lasts, in nanoseconds.
    var periodTime: Int64 { StreamFormat.nanoseconds(frames: device.periodFrames) }

    /// Makes one device call, which may never come back: the ring is not ours meanwhile.
    func outside<T>(_ call: (any PCMDevice) -> T) throws(StreamEnding) -> T {
        lease.leave()
        let result = call(device)
        try take()
        return result
    }

    /// Takes the ring for the first time, or again.
    func take() throws(StreamEnding) {
        guard lease.enter(at: monotonicNow()) else { throw .lease }
    }

    func report(_ step: StreamLease.Step) { lease.report(step) }

    /// Frames that can be moved now.
    func available() throws(StreamEnding) -> Moved { try mend(outside { $0.available() }) }

    func write(_ samples: UnsafePointer<Int16>, _ count: Int) throws(StreamEnding) -> Moved {
        try mend(outside { $0.write(samples, count) })
    }

    func read(_ samples: UnsafeMutablePointer<Int16>, _ count: Int) throws(StreamEnding) -> Moved {
        try mend(outside { $0.read(samples, count) })
    }

    /// Waits for the device, the host's kick, the driver, or `nanoseconds`; then takes the signals.
    func wait(isForDevice: Bool, isForKick: Bool, nanoseconds: Int64) throws(StreamEnding) {
        let kick = isForKick ? ring.kickDescriptor : -1
        let wake = lease.wake.descriptor
        try outside { $0.wait(isForDevice: isForDevice, kick, wake, nanoseconds: nanoseconds) }
        lease.wake.drain()
        if isForKick { ring.drainKick() }
    }

    private func mend(_ result: Int) throws(StreamEnding) -> Moved {
        if result >= 0 { return .frames(result) }
        switch Int32(truncatingIfNeeded: -result) {
        case EAGAIN, EINTR:
            return .nothing
        case EPIPE:
            ring.countXrun()
            guard !xruns.note(at: monotonicNow()) else { throw .device(StreamFailure(.xrunStorm, code: -EPIPE)) }
            return try restart()
        case ESTRPIPE:
            let resumed = try outside { $0.resume() }
            if resumed == -EAGAIN || resumed == 0 { return .nothing }
            return try restart()
        default:
            throw .device(StreamFailure(alsa: Int32(truncatingIfNeeded: result)))
        }
    }

    private func restart() throws(StreamEnding) -> Moved {
        let prepared = try outside { $0.prepare() }
        guard prepared >= 0 else { throw .device(StreamFailure(alsa: prepared)) }
        return .restarted
    }
}
