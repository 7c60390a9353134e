import Foundation
import Glibc
import Synchronization

/// A PulseAudio server of one test, on a socket of its own, with the null sinks `spk` and `mic`. Ended by its process id.
public final class PrivatePulse: @unchecked Sendable {
    // because `server` is replaced only by the test that owns it, between its own awaits
    /// Why it could not be started.
    public struct Failed: Error {
        /// In words.
        public let reason: String
    }

    /// Each has a place in the one configuration that ALSA reads, once in a process: more than all tests together need.
    private static let limit = 64
    private static let next = Atomic(0)

    /// The PCMs `spkN` and `micN` of every server.
    public static var definitions: String {
        (0..<limit).map { index in
            """
            pcm.spk\(index) { type pulse server "unix:\(socket(index))" device spk }
            pcm.nosink\(index) { type pulse server "unix:\(socket(index))" device nosink }
            pcm.mic\(index) { type pulse server "unix:\(socket(index))" device micsrc }
            \(SharedAir.definitions(index, socket: socket(index)))
            """
        }.joined()
    }

    private static func socket(_ index: Int) -> String {
        SoundLab.folder.appendingPathComponent("pulse\(index)").path
    }

    let index: Int
    private var server: ChildProcess?
    private let environment: [String: String]

    /// The speaker's PCM.
    public var speaker: String { "spk\(index)" }
    /// The microphone's PCM: hears what is played to the sink `mic`.
    public var microphone: String { "mic\(index)" }

    /// A PCM of a sink that the server does not have.
    public var missingSink: String { "nosink\(index)" }

    /// Reserves a socket; starts nothing.
    public init() throws {
        SoundLab.prepare()
        index = Self.next.add(1, ordering: .relaxed).oldValue
        guard index < Self.limit else { throw Failed(reason: "more than \(Self.limit) servers in one test run") }
        let home = SoundLab.folder.appendingPathComponent("home\(index)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        environment = [
            "HOME": home.path, "XDG_RUNTIME_DIR": home.path, "PULSE_RUNTIME_PATH": home.path,
            "PULSE_STATE_PATH": home.path, "PATH": "/usr/bin:/bin", "PULSE_SERVER": "unix:\(Self.socket(index))",
            "ALSA_CONFIG_PATH": SoundLab.configurationFile.path,
        ]
    }

    /// Runs `body` with a running server, and ends it afterwards.
    public static func with<T: Sendable>(_ body: (PrivatePulse) async throws -> T) async throws -> T {
        let pulse = try PrivatePulse()
        try await pulse.start()
        do {
            let result = try await body(pulse)
            pulse.kill()
            return result
        } catch {
            pulse.kill()
            throw error
        }
    }

    /// Starts the server and waits until it answers.
    public func start() async throws {
        unlink(Self.socket(index))
        server = try launch(
            "/usr/bin/pulseaudio",
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no",
                "--high-priority=no",
                "-L", "module-native-protocol-unix socket=\(Self.socket(index)) auth-anonymous=1",
                "-L", "module-null-sink sink_name=spk rate=48000 channels=2",
                "-L", "module-null-sink sink_name=mic rate=48000 channels=1",
                "-L", "module-remap-source master=mic.monitor source_name=micsrc",
            ])
        let isUp = await eventually(within: 10) { answers() }
        guard isUp else { throw Failed(reason: "the private PulseAudio server did not come up") }
    }

    /// Kills the server as a crash would.
    public func kill() { server?.end(SIGKILL) }

    /// Stops the server as it is, so that every call to it hangs.
    public func freeze() { server?.send(SIGSTOP) }

    /// Lets it go on.
    public func thaw() { server?.send(SIGCONT) }

    /// Starts a client of this server, with `variables` beside those that lead to it.
    public func launch(
        _ path: String, _ arguments: [String], output: String = "/dev/null", variables: [String: String] = [:]
    ) throws -> ChildProcess {
        try ChildProcess(
            path, arguments, environment: environment.merging(variables) { $1 }, output: output)
    }

    /// Plays `samples`, mono at 48 kHz, to the sink `sink`; the process ends when they were played.
    public func play(_ samples: [Int16], to sink: String) throws -> ChildProcess {
        let file = SoundLab.folder.appendingPathComponent("play-\(UUID().uuidString)")
        try samples.withUnsafeBytes { try Data($0).write(to: file) }
        return try launch(
            "/usr/bin/pacat",
            [
                "--playback", "--raw", "-d", sink, "--latency-msec=50", "--format=s16le", "--rate=48000",
                "--channels=1",
                file.path,
            ])
    }

    private func answers() -> Bool {
        do {
            return try launch("/usr/bin/pactl", ["info"]).wait() == 0
        } catch {
            return false
        }
    }
}

/// What a monitor of a sink hears, written to a file in mono at 48 kHz. Its reader also keeps a null sink's latency low.
public final class MonitorRecording {
    private let process: ChildProcess
    private let file: URL

    /// Starts to record `device` of `pulse`, and waits until samples arrive.
    public init(_ pulse: PrivatePulse, device: String = "spk.monitor") async throws {
        file = SoundLab.folder.appendingPathComponent("recording-\(UUID().uuidString)")
        process = try pulse.launch(
            "/usr/bin/parec",
            ["--raw", "-d", device, "--latency-msec=10", "--format=s16le", "--rate=48000", "--channels=1"],
            output: file.path)
        // The sink answers at a low latency only after its reader has run for about two seconds.
        guard await eventually(within: 10, { frameCount >= 2 * 48_000 }) else {
            throw PrivatePulse.Failed(reason: "the monitor \(device) recorded nothing")
        }
    }

    /// Everything heard so far.
    public var samples: [Int16] { samples(from: 0) }

    /// How many frames were heard so far.
    public var frameCount: Int {
        var status = stat()
        return stat(file.path, &status) == 0 ? Int(status.st_size) / 2 : 0
    }

    /// What was heard from frame `start` on.
    public func samples(from start: Int) -> [Int16] {
        guard let handle = FileHandle(forReadingAtPath: file.path) else { return [] }
        defer { handle.closeFile() }
        handle.seek(toFileOffset: UInt64(2 * start))
        return handle.readDataToEndOfFile().withUnsafeBytes { bytes in
            Array(bytes.bindMemory(to: Int16.self).prefix(bytes.count / 2))
        }
    }

    /// Ends the recording.
    public func stop() {
        process.end()
    }
}
