import Foundation
import GlassesDomain
import Synchronization

@testable import GlassesRuntime

/// A coder whose files are a mark, the size, the frame's number and an end mark: enough to tell frames apart and to be damaged.
final class FakePictures: PictureCoder {
    static let mark: [UInt8] = [0xFF, 0xD8]
    static let end: [UInt8] = [0xFF, 0xD9]

    private let coded = Mutex(0)

    /// How many frames were coded.
    var codings: Int { coded.withLock { $0 } }

    /// A file as a camera would deliver it.
    static func file(width: Int, height: Int, number: UInt64, padding: Int = 0) -> [UInt8] {
        mark + [UInt8(width >> 8), UInt8(width & 0xFF), UInt8(height >> 8), UInt8(height & 0xFF)]
            + withUnsafeBytes(of: number.bigEndian, Array.init) + [UInt8](repeating: 0, count: padding) + end
    }

    /// The number of the frame that a file was made of.
    static func number(in file: Data) -> UInt64? {
        guard file.count >= 16 else { return nil }
        return file.dropFirst(6).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    func jpeg(_ frame: CameraFrame, quality: Int, takenAt: Date?) throws(MediaError) -> EncodedPicture {
        coded.withLock { $0 += 1 }
        guard frame.format == .jpeg else {
            let file = Self.file(width: frame.width, height: frame.height, number: frame.number)
            return EncodedPicture(file: Data(file), width: frame.width, height: frame.height)
        }
        let facts = try facts(of: Data(frame.bytes))
        guard frame.bytes.suffix(2).elementsEqual(Self.end) else { throw MediaError.undecodable(reason: "no end") }
        return EncodedPicture(file: Data(frame.bytes), width: facts.width, height: facts.height)
    }

    func packedI420(_ frame: CameraFrame) throws(MediaError) -> CameraFrame {
        coded.withLock { $0 += 1 }
        guard frame.format == .i420 else { throw MediaError.undecodable(reason: "not pixels") }
        return frame
    }

    func facts(of file: Data) throws(MediaError) -> PictureFacts {
        let bytes = [UInt8](file.prefix(6))
        guard bytes.count == 6, bytes.starts(with: Self.mark) else { throw MediaError.undecodable(reason: "no mark") }
        return PictureFacts(
            mimeType: "image/jpeg", width: Int(bytes[2]) << 8 | Int(bytes[3]),
            height: Int(bytes[4]) << 8 | Int(bytes[5]), rotation: 0)
    }

    func scaled(_ file: Data, longestSide: Int, quality: Int) throws(MediaError) -> EncodedPicture {
        let facts = try facts(of: file)
        return EncodedPicture(file: file, width: facts.width, height: facts.height)
    }

    func stamped(_ file: Data, rotation: Int, takenAt: Date?) throws(MediaError) -> Data { file }

    func decoded(_ file: Data) throws(MediaError) -> PlatformImage { throw MediaError.undecodable(reason: "fake") }
}

/// A folder in memory that can be full.
final class FakeFolder: CaptureFolder {
    private struct Storage {
        var files: [String: Data] = [:]
        var paths = 0
        var failure: MediaError?
    }

    private let storage = Mutex(Storage())

    /// What was written, by path.
    var files: [String: Data] { storage.withLock { $0.files } }

    /// Fails everything from now on; nil lets it succeed again.
    func fail(_ error: MediaError?) { storage.withLock { $0.failure = error } }

    func store(_ file: Data, suffix: String) throws(MediaError) -> String {
        let path = try newPath(suffix: suffix)
        storage.withLock { $0.files[path] = file }
        return path
    }

    func newPath(suffix: String) throws(MediaError) -> String {
        let outcome = storage.withLock { storage -> Result<String, MediaError> in
            if let failure = storage.failure { return .failure(failure) }
            storage.paths += 1
            return .success("/captures/\(storage.paths)\(suffix)")
        }
        return try outcome.get()
    }
}

/// Recordings in memory.
final class FakeClips: ClipRecorder {
    private let storage = Mutex<(writers: [FakeClip], failure: MediaError?)>(([], nil))

    /// All recordings so far.
    var clips: [FakeClip] { storage.withLock { $0.writers } }

    /// Fails the next beginnings; nil lets them succeed again.
    func fail(_ error: MediaError?) { storage.withLock { $0.failure = error } }

    func begin(_ plan: ClipPlan) throws(MediaError) -> any ClipWriter {
        let outcome = storage.withLock { storage -> Result<FakeClip, MediaError> in
            if let failure = storage.failure { return .failure(failure) }
            let clip = FakeClip(plan: plan)
            storage.writers.append(clip)
            return .success(clip)
        }
        return try outcome.get()
    }
}

/// One recording in memory; it refuses what a real one refuses.
final class FakeClip: ClipWriter {
    struct Storage {
        var frames: [CameraFrame] = []
        var sound: [(samples: [Int16], time: MonotonicTime)] = []
        var finishes = 0
        /// Fails once this many frames are written.
        var fullAfter: Int?
    }

    let plan: ClipPlan
    private let storage = Mutex(Storage())

    init(plan: ClipPlan) { self.plan = plan }

    var frames: [CameraFrame] { storage.withLock { $0.frames } }
    var sound: [(samples: [Int16], time: MonotonicTime)] { storage.withLock { $0.sound } }
    var finishes: Int { storage.withLock { $0.finishes } }

    /// The disk is full after this many frames.
    func fill(after frames: Int) { storage.withLock { $0.fullAfter = frames } }

    func add(_ frame: CameraFrame) throws(MediaError) {
        let outcome = storage.withLock { storage -> Result<Void, MediaError> in
            if let limit = storage.fullAfter, storage.frames.count >= limit {
                return .failure(.writeFailed(code: "disk_full", message: "The disk is full. Free some space."))
            }
            if frame.format == .jpeg, !frame.bytes.suffix(2).elementsEqual(FakePictures.end) {
                return .failure(.undecodable(reason: "no end"))
            }
            storage.frames.append(frame)
            return .success(())
        }
        try outcome.get()
    }

    func addSound(_ samples: [Int16], at time: MonotonicTime) throws(MediaError) {
        storage.withLock { $0.sound.append((samples, time)) }
    }

    func finish() throws(MediaError) -> VideoClip {
        let frames = storage.withLock { storage in
            storage.finishes += 1
            return storage.frames
        }
        let length = frames.first.flatMap { first in frames.last.map { first.time.duration(to: $0.time) } } ?? .zero
        return VideoClip(
            uri: frames.isEmpty ? nil : "file://\(plan.path)", durationMs: length.wholeMilliseconds,
            format: plan.format, width: Int32(frames.first?.width ?? 0), height: Int32(frames.first?.height ?? 0))
    }
}
