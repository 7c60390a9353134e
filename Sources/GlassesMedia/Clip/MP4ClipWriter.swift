import Foundation
import GlassesDomain

/// Writes one clip, a fragment each half second.
///
/// A frame or a sound that is refused is left out, and the clip goes on; after a failed write it has ended, every further call throws
/// the same error, and ``finish()`` answers what was written until then.
final class MP4ClipWriter: ClipWriter {
    /// How far it is.
    private enum Stage {
        /// No frame yet; sound may have come, since a microphone is faster than a camera.
        case waiting(early: EarlySound)
        case recording(ClipRecording)
        case failed(MediaError, ClipRecording?)
        case finished(VideoClip)
    }

    private let plan: ClipPlan
    private let file: ClipFile
    private let coders: VideoCoders
    private var stage = Stage.waiting(early: EarlySound())

    init(plan: ClipPlan, file: ClipFile, coders: VideoCoders) {
        self.plan = plan
        self.file = file
        self.coders = coders
    }

    func add(_ frame: CameraFrame) throws(MediaError) {
        switch stage {
        case .waiting(let early):
            let recording = try ClipRecording(plan: plan, file: file, coders: coders, first: frame)
            stage = .recording(recording)
            try follow(recording) { () throws(MediaError) in
                try recording.writeHeader()
                for piece in early.pieces { try recording.add(piece.samples, at: piece.time) }
            }
        case .recording(let recording): try follow(recording) { () throws(MediaError) in try recording.add(frame) }
        case .failed(let error, _): throw error
        case .finished: throw Self.over
        }
    }

    func addSound(_ samples: [Int16], at time: MonotonicTime) throws(MediaError) {
        guard let rate = plan.soundRate, !samples.isEmpty else { return }
        switch stage {
        case .waiting(var early):
            early.add(samples, at: time, rate: rate)
            stage = .waiting(early: early)
        case .recording(let recording):
            try follow(recording) { () throws(MediaError) in try recording.add(samples, at: time) }
        case .failed(let error, _): throw error
        case .finished: throw Self.over
        }
    }

    func finish() throws(MediaError) -> VideoClip {
        let clip: VideoClip
        switch stage {
        case .waiting:
            try file.remove()
            clip = VideoClip(uri: nil, durationMs: 0, format: .mp4H264, width: 0, height: 0)
        case .recording(let recording):
            do throws(MediaError) {
                try recording.finish()
                clip = recording.clip
            } catch {
                clip = try partial(recording, after: error)
            }
        case .failed(let error, let recording): clip = try partial(recording, after: error)
        case .finished(let finished): return finished
        }
        stage = .finished(clip)
        return clip
    }

    /// What was written before a failure; if that is nothing, there is no file, and the failure is all there is to tell.
    private func partial(_ recording: ClipRecording?, after error: MediaError) throws(MediaError) -> VideoClip {
        guard let recording, recording.clip.durationMs > 0 else {
            try file.remove()
            stage = .failed(error, nil)
            throw error
        }
        return recording.clip
    }

    /// Does a step of the recording; one that fails to write ends it.
    private func follow(_ recording: ClipRecording, _ step: () throws(MediaError) -> Void) throws(MediaError) {
        do throws(MediaError) {
            try step()
        } catch {
            if case .writeFailed = error { stage = .failed(error, recording) }
            throw error
        }
    }

    private static let over = MediaError.coderFailed(
        code: "clip_finished", message: "The clip is finished; begin another one.")
}

// `@unchecked` because the port has one thread at a time call a writer.
extension MP4ClipWriter: @unchecked Sendable {}

/// Sound that came before the first frame.
struct EarlySound {
    private(set) var pieces: [(samples: [Int16], time: MonotonicTime)] = []
    private var count = 0

    /// Seconds that are kept, the newest: a camera's first frame is never that long under way.
    private static let seconds = 2

    mutating func add(_ samples: [Int16], at time: MonotonicTime, rate: Int) {
        pieces.append((samples, time))
        count += samples.count
        while count > Self.seconds * rate, pieces.count > 1 { count -= pieces.removeFirst().samples.count }
    }
}
