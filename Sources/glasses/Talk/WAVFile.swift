import Foundation
import GlassesAudio

/// A WAV file that is written while its audio comes; readable at any moment, complete after ``finish()``. Only its owner can read it.
final class WAVFile {
    private let handle: FileHandle
    private var writer: WAVWriter

    /// Creates or replaces the file at `path`.
    init(path: String, sampleRate: Int, channels: Int = 1) throws {
        writer = try WAVWriter(sampleRate: sampleRate, channels: channels)
        handle = try PrivateFile.create(path)
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
