import Foundation
import GlassesDomain
import Synchronization

/// One reader of the stream's frames, from the first time it asks until it is let go.
///
/// Frames are coded when they are asked for, so that no work is spent on one that is dropped.
final class FrameReader: Sendable {
    /// JPEG quality of delivered frames.
    static let quality = 85
    /// Frames that wait for a slow reader before the oldest or the newest is dropped: old enough to bridge a hiccup, few enough that a
    /// picture is never a second old at common rates.
    static let bufferedFrames = 4
    /// The most that ``Backpressure/suspend(bufferSize:)`` may ask for: about 90 MB of the largest documented frames.
    static let suspendLimit = 64

    private struct State {
        var lease: CameraLease?
        var hasEnded = false
        var thinning = FrameThinning()
        var lastMicroseconds = Int64.min
        var delivered: Int64 = 0
        var undecodable: Int64 = 0
    }

    private let config: VideoFrameConfig
    private let driver: CameraDriver
    private let pictures: (any PictureCoder)?
    private let isSavingBattery: @Sendable () -> Bool
    private let events: EventLog
    private let state = Mutex(State())

    init(
        _ config: VideoFrameConfig, driver: CameraDriver, pictures: (any PictureCoder)?, events: EventLog,
        isSavingBattery: @escaping @Sendable () -> Bool
    ) {
        self.config = config
        self.driver = driver
        self.pictures = pictures
        self.isSavingBattery = isSavingBattery
        self.events = events
    }

    deinit { end() }

    /// The next frame; nil when the reader was cancelled or has thrown. Throws once, why there are no more.
    func next() async throws -> VideoFrame? {
        guard let pictures else {
            guard !end() else { return nil }
            throw CameraUnavailable(error: .picturesUnavailable)
        }
        guard let lease = lease() else { return nil }
        var frames = lease.frames.makeAsyncIterator()
        while let frame = await frames.next() {
            // What waits when the user forbids the camera is not delivered any more.
            if lease.error != nil { break }
            if let coded = code(frame, pictures) { return coded }
        }
        if end() { return nil }
        guard let error = lease.error else { return nil }
        events.logCapture(CameraUse.frames.operation, failed: error)
        throw error == .streamPaused ? CameraStreamPaused() : CameraUnavailable(error: error) as any Error
    }

    /// The lease, taken at the first call; nil after the end.
    private func lease() -> CameraLease? {
        state.withLock { state in
            if state.hasEnded { return nil }
            if let lease = state.lease { return lease }
            let wish = CameraWish(
                resolution: config.resolution, frameRate: max(1, config.frameRate), prefersPixels: config.codec == .raw)
            let lease = driver.lease(
                .frames, isSavingBattery() ? wish.savingBattery : wish, buffering: config.backpressure.buffering,
                accepts: { [weak self] in self?.accepts($0) ?? false })
            state.lease = lease
            return lease
        }
    }

    /// On the reader thread.
    private func accepts(_ frame: CameraFrame) -> Bool {
        let rate = isSavingBattery() ? min(config.frameRate, CameraWish.savingRate) : config.frameRate
        return state.withLock { $0.thinning.accepts(frame.time, rate: rate) }
    }

    private func code(_ frame: CameraFrame, _ pictures: any PictureCoder) -> VideoFrame? {
        let (buffer, width, height): (Data, Int, Int)
        do throws(MediaError) {
            if config.codec == .raw {
                let packed = try pictures.packedI420(frame)
                (buffer, width, height) = (Data(packed.bytes), packed.width, packed.height)
            } else {
                let picture = try pictures.jpeg(frame, quality: Self.quality, takenAt: nil)
                (buffer, width, height) = (picture.file, picture.width, picture.height)
            }
        } catch {
            state.withLock { $0.undecodable += 1 }
            return nil
        }
        let microseconds = state.withLock { state in
            state.delivered += 1
            // Two exposures of one microsecond, or a stream that was opened anew, must not stand still or go back.
            let bumped = state.lastMicroseconds.addingReportingOverflow(1)
            state.lastMicroseconds = max(
                frame.time.nanoseconds / 1_000, bumped.overflow ? state.lastMicroseconds : bumped.partialValue)
            return state.lastMicroseconds
        }
        return VideoFrame(
            buffer: buffer, width: width, height: height, presentationTimeUs: microseconds,
            isCompressed: config.codec != .raw)
    }

    /// Lets the camera go; true when that was done before.
    @discardableResult
    private func end() -> Bool {
        let (ended, wasEnded) = state.withLock { state in
            defer { state.hasEnded = true }
            return (state, state.hasEnded)
        }
        guard !wasEnded else { return true }
        ended.lease?.release()
        if let lease = ended.lease {
            events.log(
                .info, "camera.frames_ended",
                [
                    "delivered": .int(ended.delivered), "dropped": .int(lease.dropped),
                    "undecodable": .int(ended.undecodable),
                ])
        }
        return false
    }
}

extension Backpressure {
    /// The buffer that does what the policy says.
    fileprivate var buffering: AsyncStream<CameraFrame>.Continuation.BufferingPolicy {
        switch self {
        case .dropOldest: .bufferingNewest(FrameReader.bufferedFrames)
        case .dropNewest: .bufferingOldest(FrameReader.bufferedFrames)
        case .suspend(let bufferSize): .bufferingOldest(min(max(1, bufferSize), FrameReader.suspendLimit))
        }
    }
}
