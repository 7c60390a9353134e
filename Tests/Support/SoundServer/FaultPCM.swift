import Foundation
import Synchronization

/// A PCM that stands in for hardware: real time, one fixed format, faults on command. See Tests/Support/ioplug.
public final class FaultPCM: Sendable {
    private static let limit = 96
    private static let next = Atomic(0)

    private static let library: URL = {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("ioplug/fault_pcm.c")
        let library = SoundLab.folder.appendingPathComponent("libextentos_fault.so")
        let arguments = ["-shared", "-fPIC", "-DPIC", "-O1", "-o", library.path, source.path, "-lasound", "-lm"]
        do {
            let status = try ChildProcess("/usr/bin/cc", arguments).wait()
            precondition(status == 0, "the fault PCM does not compile")
        } catch {
            preconditionFailure("no C compiler for the fault PCM: \(error)")
        }
        return library
    }()

    /// The PCMs `faultN`, for the configuration of this process.
    public static var definitions: String {
        "pcm_type.extentos_fault { lib \"\(library.path)\" }\n"
            + (0..<limit).map { "pcm.fault\($0) { type extentos_fault control \"\(control($0).path)\" }\n" }.joined()
    }

    private static func control(_ index: Int) -> URL { SoundLab.folder.appendingPathComponent("fault\(index)") }

    private let index: Int
    /// The PCM's name.
    public var name: String { "fault\(index)" }

    /// A device of its own, as `command` says.
    public init(_ command: String = "") {
        SoundLab.prepare()
        index = Self.next.add(1, ordering: .relaxed).oldValue
        precondition(index < Self.limit, "more than \(Self.limit) fault PCMs in one test run")
        set(command)
    }

    /// What the device does from now on.
    public func set(_ command: String) {
        do {
            try command.write(to: Self.control(index), atomically: true, encoding: .utf8)
        } catch {
            preconditionFailure("the fault PCM cannot be told: \(error)")
        }
    }

    /// What was played, in the device's format.
    public var played: Data {
        FileManager.default.contents(atPath: Self.control(index).path + ".out") ?? Data()
    }
}

extension FaultPCM {
    /// The first channel of what a device with two 16-bit channels was given.
    public var stereoLeft: [Int16] { played(channels: 2) }

    /// The first channel of what a device with `channels` 16-bit channels was given.
    public func played(channels: Int) -> [Int16] {
        let frame = 2 * channels
        return played.withUnsafeBytes { bytes in
            (0..<bytes.count / frame).map { bytes.loadUnaligned(fromByteOffset: frame * $0, as: Int16.self) }
        }
    }
}
