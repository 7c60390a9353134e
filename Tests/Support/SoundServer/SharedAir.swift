import Foundation

/// A stereo null sink as the air between two who talk: one is heard on its left, the other on its right, so that a recording of it tells
/// to the sample who sounded when.
public final class SharedAir {
    /// The PCMs of both sides for the server with this index.
    static func definitions(_ index: Int, socket: String) -> String {
        ["ask", "asked", "reply", "replied"]
            .map { "pcm.\($0)\(index) { type pulse server \"unix:\(socket)\" device \($0) }\n" }.joined()
    }

    private let pulse: PrivatePulse
    private let recorder: ChildProcess
    private let file: URL

    /// The loudspeaker of who asks: the left of the air.
    public var asker: String { "ask\(pulse.index)" }
    /// The microphone that hears who asks.
    public var asked: String { "asked\(pulse.index)" }
    /// The loudspeaker of who replies: the right of the air.
    public var replier: String { "reply\(pulse.index)" }
    /// The microphone that hears who replies.
    public var replied: String { "replied\(pulse.index)" }

    /// Makes the air on a running server and records it from now on.
    public init(_ pulse: PrivatePulse) async throws {
        self.pulse = pulse
        file = SoundLab.folder.appendingPathComponent("air-\(UUID().uuidString)")
        let left = "channels=1 channel_map=mono master_channel_map=front-left remix=no"
        let right = "channels=1 channel_map=mono master_channel_map=front-right remix=no"
        for module in [
            "module-null-sink sink_name=air rate=48000 channels=2 channel_map=front-left,front-right",
            "module-remap-sink sink_name=ask master=air \(left)",
            "module-remap-sink sink_name=reply master=air \(right)",
            "module-remap-source source_name=asked master=air.monitor \(left)",
            "module-remap-source source_name=replied master=air.monitor \(right)",
        ] {
            let words = ["load-module"] + module.split(separator: " ").map(String.init)
            guard try pulse.launch("/usr/bin/pactl", words).wait() == 0 else {
                throw PrivatePulse.Failed(reason: "\(module) could not be loaded")
            }
        }
        recorder = try pulse.launch(
            "/usr/bin/parec",
            ["--raw", "-d", "air.monitor", "--latency-msec=10", "--format=s16le", "--rate=48000", "--channels=2"],
            output: file.path)
        // As with a MonitorRecording: the sink's latency gets low while somebody reads.
        guard await eventually(within: 10, { frameCount >= 2 * 48_000 }) else {
            throw PrivatePulse.Failed(reason: "the air could not be recorded")
        }
    }

    /// Frames recorded so far.
    public var frameCount: Int {
        var status = stat()
        return stat(file.path, &status) == 0 ? Int(status.st_size) / 4 : 0
    }

    /// What was asked and replied from frame `start` on.
    public func recording(from start: Int = 0) -> (asked: [Int16], replied: [Int16]) {
        guard let handle = FileHandle(forReadingAtPath: file.path) else { return ([], []) }
        defer { handle.closeFile() }
        handle.seek(toFileOffset: UInt64(4 * start))
        return handle.readDataToEndOfFile().withUnsafeBytes { bytes in
            let samples = bytes.bindMemory(to: Int16.self)
            let frames = samples.count / 2
            return ((0..<frames).map { samples[2 * $0] }, (0..<frames).map { samples[2 * $0 + 1] })
        }
    }

    /// Replies with `samples`, mono at 48 kHz; the process plays them and may be ended before.
    public func reply(_ samples: [Int16]) throws -> ChildProcess { try pulse.play(samples, to: "reply") }

    /// Ends the recording.
    public func stop() { recorder.end() }
}
