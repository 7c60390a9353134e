import Foundation
import FramePattern
import GlassesCore
import TestProcess
import Testing

/// A camera of the system device, as `--camera` names it.
struct RecordedCamera: Sendable, CustomTestStringConvertible {
    var name: String
    /// What the stand-in for Video4Linux plays; nil where no stand-in is needed.
    var script: String?

    static let all = [
        RecordedCamera(name: "pattern"),
        RecordedCamera(name: "usb-1 Front", script: "0 card=Front bus=usb-1 formats=YU12:360x640@30 pad=32"),
        RecordedCamera(name: "usb-1 Front", script: "0 card=Front bus=usb-1 formats=MJPG:360x640@30"),
    ]

    var testDescription: String { script ?? name }

    /// The environment in which `glasses` finds it, in a child as always.
    func environment(in folder: String) throws -> [String: String?] {
        var environment = GlassesProgram.environment
        guard let script else { return environment }
        let programs = (GlassesProgram.path as NSString).deletingLastPathComponent
        let host = folder + "/host"
        try """
        #!/bin/sh
        V4L2_STAND_IN='\(script)' exec '\(programs)/glasses-plugin-host' --preload '\(programs)/libV4L2StandIn.so' "$@"

        """.write(toFile: host, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: host)
        environment["EXTENTOS_PLUGIN_HOST"] = host
        return environment
    }
}

@Suite("Photos and clips of this machine's cameras") struct RecordedCameraTests {
    private static let size = (width: 360, height: 640)

    @Test(
        "a clip shows each picture once and in order, and a player finds no fault in it",
        arguments: RecordedCamera.all)
    func clip(_ camera: RecordedCamera) async throws {
        let folder = try Self.folder()
        let file = folder + "/clip.mp4"
        var process = TestProcess(
            GlassesProgram.path,
            ["record", "--camera", camera.name, "--no-sound", "--resolution", "low", "--seconds", "3", "--out", file])
        process.environment = try camera.environment(in: folder)
        let outcome = try await process.run()
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        try Self.expectOrder(of: await Self.numbers(in: file), atLeast: 36)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("a photo shows the picture of one moment", arguments: RecordedCamera.all)
    func photo(_ camera: RecordedCamera) async throws {
        let folder = try Self.folder()
        let file = folder + "/photo.jpg"
        var process = TestProcess(
            GlassesProgram.path, ["photo", "--camera", camera.name, "--resolution", "low", "--out", file])
        process.environment = try camera.environment(in: folder)
        let outcome = try await process.run()
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let numbers = try await Self.numbers(in: file)
        #expect(numbers.count == 1 && numbers.first != .some(nil), "\(numbers)")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("a recording that is killed leaves what was on the disk, whole and in order")
    func killed() async throws {
        let folder = try Self.folder()
        let file = folder + "/clip.mp4"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: GlassesProgram.path)
        process.arguments = ["record", "--camera", "pattern", "--no-sound", "--resolution", "low", "--out", file]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["XDG_DATA_HOME": "/nonexistent"], uniquingKeysWith: { $1 })
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let deadline = ContinuousClock.now + .seconds(60)
        // Some fragments of half a second each.
        while try Self.bytes(of: file) < 200_000, process.isRunning, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        try Self.expectOrder(of: await Self.numbers(in: file), atLeast: 12)
        try FileManager.default.removeItem(atPath: folder)
    }

    private static func folder() throws -> String {
        let folder = NSTemporaryDirectory() + "recorded-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func bytes(of file: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: file) else { return 0 }
        return try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
    }

    /// The numbers that the pictures of a file show; nil for one that cannot be read.
    private static func numbers(in file: String) async throws -> [UInt32?] {
        let raw = file + ".gray"
        let outcome = try await TestProcess(
            "/usr/bin/ffmpeg",
            [
                "-nostdin", "-y", "-v", "error", "-i", file, "-map", "0:v", "-vsync", "passthrough", "-pix_fmt", "gray",
                "-f", "rawvideo", raw,
            ]
        ).run()
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let pixels = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let length = size.width * size.height
        #expect(pixels.count % length == 0)
        return (0..<pixels.count / length).map { index in
            FrameNumberPattern.read(
                luma: Array(pixels[index * length..<(index + 1) * length]), width: size.width, height: size.height,
                stride: size.width)
        }
    }

    private static func expectOrder(of numbers: [UInt32?], atLeast count: Int) throws {
        let read = numbers.compactMap { $0 }
        #expect(read.count == numbers.count, "\(numbers.count - read.count) of \(numbers.count) cannot be read")
        #expect(numbers.count >= count)
        let isInOrder = zip(read, read.dropFirst()).allSatisfy { $0 < $1 }
        #expect(isInOrder, "\(read)")
    }
}
