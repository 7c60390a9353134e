import CGlassesPlugin
import CVideo4Linux
import Glibc
import GlassesPluginKit
import SystemDeviceStreams

/// A camera of Video4Linux, found again by its stable name at every start.
package struct V4L2Source: CameraSource {
    /// Within the ABI's 12 s; a USB camera may take three to wake.
    static let firstPictureLimit: Int64 = 10_000 * millisecond
    /// A running camera that delivers nothing for so long has stopped, unless its rate is lower still.
    static let stallLimit: Int64 = 3_000 * millisecond
    /// One is being filled, one is being copied, two make up for a late thread.
    static let bufferCount: UInt32 = 4

    package let name: String
    package let description: CameraDescription
    private let places: CameraPlaces

    /// The source for `camera`; nil when it cannot stream.
    package init?(_ camera: V4L2Camera, places: CameraPlaces = CameraPlaces()) {
        guard let description = camera.description else { return nil }
        name = camera.name
        self.description = description
        self.places = places
    }

    package func stream(
        _ configuration: CameraConfiguration, to writer: FrameWriter, until stop: StopSignal
    ) -> PluginFailure? {
        do throws(PluginFailure) {
            let camera = try V4L2Camera.find(name, in: places)
            guard let mode = camera.mode(for: configuration) else { throw .cameraModeRefused(name) }
            do throws(V4L2Error) {
                let capture = try V4L2Capture(camera.path, mode, rate: configuration.frameRate)
                defer { capture.close() }
                return try run(capture, configuration, writer, stop)
            } catch {
                throw PluginFailure(error, camera: name)
            }
        } catch {
            return error
        }
    }

    private func run(
        _ capture: V4L2Capture, _ configuration: CameraConfiguration, _ writer: FrameWriter, _ stop: StopSignal
    ) throws(V4L2Error) -> PluginFailure? {
        guard let layout = PictureLayout(capture.format, configuration) else { return .cameraModeRefused(name) }
        try capture.begin()
        let stallLimit = max(Self.stallLimit, 4 * 1_000 * millisecond / Int64(configuration.frameRate))
        var sequence = SequenceCount()
        var deadline = monotonicNow() + Self.firstPictureLimit
        while true {
            switch stop.wait(for: capture.descriptor, until: deadline) {
            case .stopped: return nil
            case .timePassed: return writer.counts.written == 0 ? .cameraSilent(name) : .cameraStalled(name)
            case .ready:
                // Also after POLLERR and POLLHUP: what is wrong is said by the call.
                guard let picture = try capture.take() else {
                    // Nothing there, though the descriptor said so: a driver that keeps saying it must not take the CPU.
                    if stop.wait(until: monotonicNow() + 5 * millisecond) == .stopped { return nil }
                    continue
                }
                let written = writer.counts.written
                let isOpen = store(picture, of: capture, layout, sequence.number(of: picture.sequence), writer)
                try capture.giveBack(picture)
                guard isOpen else { return nil }
                if writer.counts.written > written { deadline = monotonicNow() + stallLimit }
            }
        }
    }

    /// Copies one picture into the ring; false when the writer was closed.
    private func store(
        _ picture: cv4l_picture, of capture: V4L2Capture, _ layout: PictureLayout, _ number: UInt64,
        _ writer: FrameWriter
    ) -> Bool {
        guard picture.is_broken == 0, let bytes = capture.bytes(of: picture) else {
            writer.countBroken()
            return true
        }
        // Without the monotonic clock nobody knows when it was taken.
        let time = picture.is_monotonic != 0 ? picture.t_ns : 0
        return writer.write(number: number, time: time) { layout.copy(bytes, to: $0) }
    }
}

extension V4L2Camera {
    func mode(for configuration: CameraConfiguration) -> V4L2Mode? {
        modes.first {
            V4L2Modes.pixelFormat($0.pixels) == configuration.format && $0.width == configuration.width
                && $0.height == configuration.height && $0.intervals[configuration.frameRate] != nil
        }
    }
}

/// Makes the driver's count of 32 bits one that goes on: it wraps, and a reset driver starts again at 0.
struct SequenceCount {
    private var last: (count: UInt32, number: UInt64)?

    mutating func number(of count: UInt32) -> UInt64 {
        guard let last else {
            self.last = (count, 0)
            return 0
        }
        let step = count &- last.count
        // Backwards, or the same again: the driver began anew, and how many got lost nobody knows.
        let isForward = step > 0 && step < UInt32.max / 2
        let number = last.number + (isForward ? UInt64(step) : 1)
        self.last = (count, number)
        return number
    }
}
