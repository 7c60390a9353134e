import Foundation
import GlassesAudio
import GlassesCore

/// The frames of 20 ms that the microphone hears, over and over.
struct BenchMicrophoneFile: Sendable {
    /// An hour at 24 kHz is smaller; a longer file is a mistake.
    private static let largestFile = 256 << 20

    /// The whole frames of the file, at least one.
    let frames: [[Int16]]

    /// Reads the WAV file at `path`; throws a problem with a sentence when it cannot serve.
    init(path: String) throws(Problem) {
        let recording = try Self.recording(Self.bytes(at: path), path)
        try self.init(recording.samples, sampleRate: recording.sampleRate, channels: recording.channels, path: path)
    }

    /// The frames of a recording; `path` names it in sentences.
    init(_ samples: [Int16], sampleRate: Int, channels: Int, path: String) throws(Problem) {
        guard sampleRate == BenchDevice.sampleRate, channels == 1 else {
            throw Self.problem(
                path, "It has \(sampleRate) frames per second and \(channels) channels; 24000 and 1 are needed.")
        }
        frames = stride(from: 0, through: samples.count - BenchMarker.frame, by: BenchMarker.frame).map {
            Array(samples[$0..<$0 + BenchMarker.frame])
        }
        if frames.isEmpty { throw Self.problem(path, "It is shorter than 20 ms.") }
    }

    private static func bytes(at path: String) throws(Problem) -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let bytes = try file.read(upToCount: largestFile + 1) ?? Data()
            try file.close()
            guard bytes.count <= largestFile else { throw problem(path, "It is larger than \(largestFile >> 20) MiB.") }
            return Array(bytes)
        } catch let error as Problem {
            throw error
        } catch {
            throw problem(path, error.localizedDescription)
        }
    }

    private static func recording(_ bytes: [UInt8], _ path: String) throws(Problem) -> WAVAudio {
        do throws(AudioFormatError) { return try WAVReader.read(bytes) } catch {
            throw problem(path, error.description)
        }
    }

    private static func problem(_ path: String, _ reason: String) -> Problem {
        Problem(code: "bad_microphone_file", "\(path) cannot be the microphone's file. \(reason)")
    }
}
