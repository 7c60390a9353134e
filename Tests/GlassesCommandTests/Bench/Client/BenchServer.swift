import Foundation
import GlassesAudio
import GlassesCore
import Testing

@testable import glasses

/// The C server of the benchmarks, built once and run in a folder of its own.
final class BenchServer {
    /// Frames of the microphone's file; a conversation of 4 s hears them more than once.
    static let microphoneFrames = 150

    private static let program = Result { try build() }

    /// Where the server and its client write.
    let folder: URL
    /// Where it listens.
    let url: String
    private let process = Process()
    private var report: URL { folder.appendingPathComponent("server.json") }

    /// Starts it with these options.
    init(_ options: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID())", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process.executableURL = try Self.program.get()
        process.arguments = ["--report", folder.appendingPathComponent("server.json").path] + options
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // It prints this line before it does anything that could last.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        url = try #require(JSONValue(jsonText: line)["url"]?.stringValue)
    }

    deinit {
        if process.isRunning { process.terminate() }
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }

    /// Ends it and answers its report.
    func end() throws -> JSONValue {
        process.terminate()
        process.waitUntilExit()
        return try JSONValue(jsonText: String(contentsOf: report, encoding: .utf8))
    }

    /// A WAV file of marked frames.
    func microphone() throws -> URL {
        let file = folder.appendingPathComponent("mic.wav")
        let frames = (0..<Self.microphoneFrames).flatMap { number in
            BenchMarker.samples(UInt32(number)) + [Int16](repeating: 100, count: BenchMarker.frame - BenchMarker.count)
        }
        var writer = try WAVWriter(sampleRate: BenchDevice.sampleRate)
        _ = writer.openingHeader
        let audio = writer.append(frames)
        try Data(writer.finishedHeader + audio).write(to: file)
        return file
    }

    private static func build() throws -> URL {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Benchmarks/Baseline").standardizedFileURL
        let folder = URL(fileURLWithPath: GlassesProgram.path).deletingLastPathComponent()
        let (made, program) = (
            folder.appendingPathComponent(UUID().uuidString), folder.appendingPathComponent("bench_server")
        )
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/cc")
        compiler.arguments = [
            "-O2", "-Wall", "-Wextra", "-Werror", "-o", made.path,
            sources.appendingPathComponent("bench_server.c").path,
        ]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        // In one step, since another test process may run it.
        #expect(rename(made.path, program.path) == 0)
        return program
    }
}
