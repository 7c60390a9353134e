import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization

/// A few seconds of one camera.
struct CameraRun: Sendable {
    /// From the moment at which a picture was due to its arrival in the app, sorted, in nanoseconds.
    var delays: [Int64] = []
    var dropped: Int64 = 0
    /// CPU seconds of this process and of the child.
    var cpu = (own: 0.0, child: 0.0)
    var seconds = 0.0

    static func open(_ library: String, _ isolation: PluginIsolation) async -> (any GlassesTransport)? {
        var configuration = PluginHostConfiguration(folders: [library])
        configuration.isolation = isolation
        let host = PluginHost(configuration: configuration)
        let settings: JSONValue = ["camera": "pattern", "microphone": "none", "speaker": "none"]
        guard let transport = await host.transport(id: "org.extentos.system-device", settings: settings).success,
            await transport.connect(deviceId: nil).success != nil
        else { return nil }
        return transport
    }

    static func run(
        _ library: String, _ isolation: PluginIsolation, _ mode: CameraMode, seconds: Double
    ) async -> CameraRun? {
        guard let transport = await open(library, isolation), let camera = transport.camera else { return nil }
        let delays = Mutex<[Int64]>([])
        let opened = await camera.open(
            mode,
            onFrame: { frame in
                let delay = MonotonicNow.nanoseconds() - frame.time.nanoseconds
                delays.withLock { $0.append(delay) }
            }, onChange: { _ in })
        guard opened.failure == nil else { return nil }
        let (own, child) = (ProcessFigures.ownCPU(), ProcessFigures.childCPU())
        try? await Task.sleep(for: .seconds(seconds))
        let cpu = (own: ProcessFigures.ownCPU() - own, child: ProcessFigures.childCPU() - child)
        await camera.close()
        let run = CameraRun(
            delays: delays.withLock { $0 }.sorted(), dropped: camera.droppedFrames, cpu: cpu, seconds: seconds)
        await transport.shutdown()
        return run
    }

    var text: String {
        guard !delays.isEmpty else { return "no picture came" }
        let (p50, p99) = (delays[delays.count / 2], delays[delays.count * 99 / 100])
        return String(
            format:
                "%d pictures, %d dropped; from due to the app p50 %d us, p99 %d us; CPU %.3f s here, %.3f s in the child, of %.0f s",
            delays.count, dropped, p50 / 1_000, p99 / 1_000, cpu.own, cpu.child, seconds)
    }
}

/// How long it takes to copy a picture that is not in the processor's caches.
enum CopyTimes {
    struct Times: Sendable {
        var sorted: [Int64]

        var text: String {
            String(
                format: "p50 %d us, p99 %d us", sorted[sorted.count / 2] / 1_000,
                sorted[sorted.count * 99 / 100] / 1_000)
        }
    }

    static func measure(bytes: Int, count: Int) -> Times {
        // Eight, as the ring has slots.
        let sources = (0..<8).map { [UInt8](repeating: UInt8($0), count: bytes) }
        var target = [UInt8](repeating: 0, count: bytes)
        let times = (0..<count).map { round in
            let start = MonotonicNow.nanoseconds()
            target.withUnsafeMutableBytes { to in sources[round % 8].withUnsafeBytes { to.copyMemory(from: $0) } }
            return MonotonicNow.nanoseconds() - start
        }
        return Times(sorted: times.sorted())
    }
}

/// CLOCK_MONOTONIC.
enum MonotonicNow {
    static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
