import Dispatch
import Foundation

/// The bytes of a recording: a file, or standard input.
///
/// They are read on a queue of its own, since a pipe may wait for as long as somebody takes to write, and nothing can interrupt
/// a read.
final class RecordingSource: Sendable {
    /// The path that stands for standard input.
    static let standardInput = "-"
    /// Bytes that are read at once: a third of a second of stereo at 48 kHz, so that progress is seen and little memory is held.
    private static let pieceBytes = 1 << 16

    /// The file's size in bytes; nil for what has none, such as a pipe.
    let size: Int64?
    private let file: FileHandle
    private let queue: DispatchQueue

    /// Opens the recording at `path`; throws a problem with a sentence that names the reason and not the path.
    static func open(_ path: String) async throws -> RecordingSource {
        let queue = DispatchQueue(label: "org.extentos.recording-source", qos: .userInitiated)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try RecordingSource(path, queue) }) }
        }
    }

    private init(_ path: String, _ queue: DispatchQueue) throws {
        let isInput = path == Self.standardInput
        let descriptor = isInput ? STDIN_FILENO : Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.problem(errno) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: !isInput)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.problem(errno) }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else {
            throw Problem(code: "recording_is_folder", "It is a folder; name the files in it.")
        }
        size = kind == S_IFREG ? Int64(status.st_size) : nil
        self.queue = queue
    }

    /// The next bytes; none at the end.
    func next() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [file] in
                continuation.resume(with: Result { try file.read(upToCount: Self.pieceBytes) ?? Data() })
            }
        }
    }

    private static func problem(_ code: Int32) -> Problem {
        Problem(code: "recording_not_readable", "\(String(cString: strerror(code))).")
    }
}
