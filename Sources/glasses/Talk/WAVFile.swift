import Foundation
import GlassesAudio

/// A WAV file that is written while its audio comes; readable at any moment, complete after ``finish()``. Only its owner can read it.
final class WAVFile {
    private let handle: FileHandle
    private var writer: WAVWriter

    /// Creates or replaces the file at `path`.
    init(path: String, sampleRate: Int, channels: Int = 1) throws {
        writer = try WAVWriter(sampleRate: sampleRate, channels: channels)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        // An older file keeps its permissions when it is truncated.
        fchmod(descriptor, 0o600)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(writer.openingHeader))
    }

    /// Frames per second.
    var sampleRate: Int { writer.sampleRate }

    /// Adds samples, interleaved.
    func append(_ samples: [Int16]) throws { try handle.write(contentsOf: Data(writer.append(samples))) }

    /// Fills in the sizes and closes the file.
    func finish() throws {
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(writer.finishedHeader))
        try handle.close()
    }
}
