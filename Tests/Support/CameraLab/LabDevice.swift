import FramePattern
import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization

/// The system device as the lab has it.
actor LabDevice {
    /// Longer than a camera's own limits.
    private static let limit: Duration = .seconds(25)

    private let settings: JSONValue
    private let host: PluginHost
    private var transport: (any GlassesTransport)?
    private var abandoned: Seen?

    init(_ settings: JSONValue, isolation: PluginIsolation) {
        self.settings = settings
        let build = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        configuration.searchPath = PluginSearchPath(entries: [build + "/extentos_SystemDevice.resources"])
        configuration.cacheFolder = nil
        configuration.isolation = isolation
        configuration.probeLimit = .seconds(20)
        configuration.checking = .maximal
        configuration.onMisbehaviour = { print("misbehaved \($0)") }
        if ProcessInfo.processInfo.environment["CAMERA_LAB_LOG"] != nil {
            configuration.onLog = { print("log \($0.text)") }
        }
        host = PluginHost(configuration: configuration)
    }

    func load() async -> Bool {
        let loaded = await host.transport(id: "org.extentos.system-device", settings: settings)
        guard let transport = loaded.success else {
            print("not loaded \(loaded.failure?.code ?? "")")
            return false
        }
        self.transport = transport
        if let failure = await transport.connect(deviceId: nil).failure { print("not connected \(failure.code)") }
        return true
    }

    func unload() async {
        await transport?.shutdown()
        transport = nil
    }

    func printModes() {
        guard let camera = transport?.camera else { return print("no camera") }
        for mode in camera.facts.modes {
            print("mode \(mode.format.rawValue) \(mode.width)x\(mode.height)@\(mode.frameRate)")
        }
    }

    func printCameras() {
        for camera in transport?.facts.details["cameras"]?.arrayValue ?? [] {
            print("camera \(camera["name"]?.stringValue ?? "") code=\(camera["code"]?.stringValue ?? "")")
        }
    }

    func waitForEnd() async { await abandoned?.wait(Self.limit) { $0.hasEnded } }

    func stream(_ mode: CameraMode, count: Int, kills: Bool, closes: Bool) async {
        guard let camera = transport?.camera else { return print("no camera") }
        let seen = Seen()
        let opened = await camera.open(mode, onFrame: { seen.add($0) }, onChange: { seen.add($0) })
        if let failure = opened.failure { return print("refused \(failure.code)") }
        print("opened")
        if kills {
            await seen.wait(Self.limit) { $0.frames >= count / 2 }
            for child in ChildProcesses.all() { kill(child, SIGKILL) }
            print("killed")
        }
        await seen.wait(Self.limit) { $0.frames >= count || $0.hasEnded }
        guard closes else { return abandoned = seen }
        await camera.close()
        print("closed dropped=\(camera.droppedFrames)")
    }
}

/// What came of one stream, printed as it comes.
final class Seen: Sendable {
    struct State {
        var frames = 0
        var hasEnded = false
    }

    private let state = Mutex(State())

    func add(_ frame: CameraFrame) {
        let shown = FrameNumber.read(frame).map(String.init) ?? "nothing"
        print(
            "frame \(frame.number) shows \(shown) at \(frame.time.nanoseconds) \(frame.format.rawValue) "
                + "\(frame.width)x\(frame.height)")
        state.withLock { $0.frames += 1 }
    }

    func add(_ change: CameraStreamChange) {
        switch change {
        case .ended(let reason):
            print("ended \(reason.code)")
            state.withLock { $0.hasEnded = true }
        case .paused(let reason): print("paused \(reason.code)")
        case .resumed: print("resumed")
        }
    }

    func wait(_ limit: Duration, until condition: (State) -> Bool) async {
        let deadline = ContinuousClock.now + limit
        while !condition(state.withLock { $0 }), ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// The processes whose parent is this one.
enum ChildProcesses {
    static func all() -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
            guard let process = pid_t(name),
                let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let end = status.lastIndex(of: ")")
            else { return nil }
            let fields = status[end...].dropFirst(2).split(separator: " ")
            return fields.count > 1 && pid_t(fields[1]) == getpid() ? process : nil
        }
    }
}
