import Dispatch
import Foundation
import GlassesCore
import Synchronization

/// Records what the microphone heard and what the loudspeaker played.
///
/// Both files begin when the recorder was made: what was not heard or played is silence in them. Audio threads hand their blocks
/// over; a queue writes them.
final class TalkRecorder: Sendable {
    /// What a recording is of.
    enum Track: String, Sendable, CaseIterable {
        case microphone = "mic.wav"
        case speaker = "speaker.wav"
    }

    private struct Files {
        var open: [Track: WAVFile] = [:]
        var timelines: [Track: RecordingTimeline] = [:]
        var failure: String?
        var isFinished = false
    }

    /// Blocks that wait for a slow disk: 10 s of both tracks; more are dropped and counted.
    private static let waitingLimit = 1_000
    /// The rate of a track on which nothing came.
    private static let emptyTrackRate = 16_000
    /// An hour of silence is written in pieces of this many frames.
    private static let silencePiece = 48_000

    private let folder: URL
    private let stopwatch = Stopwatch()
    private let queue = DispatchQueue(label: "org.extentos.talk.recorder", qos: .utility)
    private let waiting = Atomic(0)
    private let dropped = Atomic(0)
    // because: only the queue's blocks read and write it.
    private nonisolated(unsafe) var files = Files()

    /// Makes the folder, if it is not there, for its owner only.
    init(folder path: String) throws {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Adds a block to a track; callable on any thread, never waits for the disk.
    func append(_ samples: [Int16], sampleRate: Int, to track: Track) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingLimit else {
            waiting.subtract(1, ordering: .relaxed)
            dropped.add(1, ordering: .relaxed)
            return
        }
        let seconds = stopwatch.seconds
        queue.async { [self] in
            write(samples, sampleRate, track, at: seconds)
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Completes both files, and answers what went wrong with them in one sentence.
    func finish() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: close()) }
        }
    }

    private func write(_ samples: [Int16], _ sampleRate: Int, _ track: Track, at seconds: Double) {
        guard files.failure == nil, !files.isFinished else { return }
        do {
            let file = try files.open[track] ?? WAVFile(path: path(of: track), sampleRate: sampleRate)
            files.open[track] = file
            guard file.sampleRate == sampleRate else {
                dropped.add(1, ordering: .relaxed)
                return
            }
            let silence = files.timelines[track, default: RecordingTimeline(sampleRate: sampleRate)]
                .silence(before: samples.count, at: seconds)
            for start in stride(from: 0, to: silence, by: Self.silencePiece) {
                try file.append([Int16](repeating: 0, count: min(Self.silencePiece, silence - start)))
            }
            try file.append(samples)
        } catch {
            files.failure = "\(path(of: track)) could not be written: \(error.localizedDescription)"
        }
    }

    private func close() -> String? {
        files.isFinished = true
        for track in Track.allCases where files.failure == nil {
            do {
                try (files.open[track] ?? WAVFile(path: path(of: track), sampleRate: Self.emptyTrackRate)).finish()
            } catch {
                files.failure = "\(path(of: track)) could not be written: \(error.localizedDescription)"
            }
        }
        files.open = [:]
        let lost = dropped.load(ordering: .relaxed)
        return files.failure ?? (lost > 0 ? "\(lost) blocks are missing from the recordings." : nil)
    }

    private func path(of track: Track) -> String { folder.appendingPathComponent(track.rawValue).path }
}
