import CGlassesPlugin
import Foundation
import Glibc
import GlassesPluginKit
import MWDATCamera
import Synchronization

/// Where a stream's pictures go: into the host's ring until it is closed, or nowhere for a still's own stream.
final class FrameSink: Sendable {
    private struct State {
        var ring: VideoRing?
        var isClosed = false
        var hasFrame = false
        var number: UInt64 = 0
        /// Between the toolkit's times, which begin at 0, and CLOCK_MONOTONIC.
        var offset: Int64?
        var lastTime: Int64 = 0
    }

    private let size: I420Size
    private let state: Mutex<State>
    /// Called with the first picture, once.
    private let began: @Sendable () -> Void

    init(_ ring: VideoRing?, size: I420Size, began: @escaping @Sendable () -> Void) {
        self.size = size
        self.began = began
        state = Mutex(State(ring: ring))
    }

    /// Nothing touches the ring after this returned.
    func close() {
        state.withLock { state in
            state.ring = nil
            state.isClosed = true
        }
    }

    /// Takes a picture, on the toolkit's thread.
    func take(_ frame: VideoFrame) {
        guard let picture = frame.sampleBuffer.imageBuffer, picture.width % 2 == 0, picture.height % 2 == 0 else {
            return
        }
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            state.number += 1
            write(picture, at: time(of: frame, &state), &state)
            defer { state.hasFrame = true }
            return !state.hasFrame
        }
        if isFirst { began() }
    }

    /// The toolkit's times keep the distances between exposures; the first one is anchored to the clock now.
    private func time(of frame: VideoFrame, _ state: inout State) -> Int64 {
        let now = Self.now
        let stamp = frame.sampleBuffer.presentationTimeStamp
        let parts = Int64(max(stamp.timescale, 1))
        // Whole seconds apart, so that nothing overflows.
        let told = stamp.value / parts * 1_000_000_000 + stamp.value % parts * 1_000_000_000 / parts
        let offset = state.offset ?? now - told
        state.offset = offset
        // Never from the future, and always later than the one before.
        state.lastTime = max(min(told + offset, now), state.lastTime + 1)
        return state.lastTime
    }

    private func write(_ picture: CVPixelBuffer, at time: Int64, _ state: inout State) {
        guard let ring = state.ring else { return }
        let (size, number) = (size, state.number)
        ring.write { slot in
            guard slot.count >= size.bytes else { return nil }
            picture.bytes.withUnsafeBytes { bytes in
                I420Scaling.copy(bytes, I420Size(width: picture.width, height: picture.height), to: slot, size)
            }
            return glasses_frame(i420: size, time: time, number: number)
        }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension glasses_frame {
    fileprivate init(i420 size: I420Size, time: Int64, number: UInt64) {
        self.init()
        (t_ns, self.number) = (time, number)
        format = glasses_pixel_format(GLASSES_PIXELS_I420)
        (width, height) = (UInt32(size.width), UInt32(size.height))
        (bytes, plane_count) = (UInt32(size.bytes), 3)
        let all = size.planes.map { glasses_plane(offset: UInt32($0.offset), stride: UInt32($0.width)) }
        planes = (all[0], all[1], all[2])
    }
}
