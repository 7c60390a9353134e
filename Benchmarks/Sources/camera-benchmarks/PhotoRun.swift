import Foundation
import GlassesCore

/// How long a photo takes, from the app's call to the file on the disk.
enum PhotoRun {
    /// Photos from a stream that is open already, `count` of them, and a tenth as many from one that each of them opens.
    static func run(_ library: String, count: Int) async -> String? {
        var cold: [Int64] = []
        for _ in 0..<max(count / 10, 1) {
            // Each from glasses of its own: a stream stays open for a while after its last user.
            guard let glasses = await connect(library), let times = await photos(glasses, count: 1) else { return nil }
            cold += times
            await glasses.shutdown()
        }
        guard let glasses = await connect(library) else { return nil }
        // A reader keeps the stream open.
        let reader = Task { for try await _ in glasses.camera.videoFrames() {} }
        let warm = await first(glasses) ? await photos(glasses, count: count) : nil
        reader.cancel()
        await glasses.shutdown()
        guard let warm else { return nil }
        return "photo to the disk, \(count) from an open stream: \(text(warm)); \(cold.count) that open it: "
            + text(cold.sorted())
    }

    private static func connect(_ library: String) async -> (any ExtentosGlasses)? {
        let glasses = Extentos.create(
            config: ExtentosConfig(
                transport: .plugin(
                    id: "org.extentos.system-device",
                    settings: ["camera": "pattern", "microphone": "none", "speaker": "none"]),
                pluginFolders: [library]))
        guard case .success = await glasses.connect() else { return nil }
        return glasses
    }

    /// Waits for the stream's first frame.
    private static func first(_ glasses: any ExtentosGlasses) async -> Bool {
        for await state in glasses.camera.streamState() where state == .streaming { return true }
        return false
    }

    private static func photos(_ glasses: any ExtentosGlasses, count: Int) async -> [Int64]? {
        var times: [Int64] = []
        for _ in 0..<count {
            let start = MonotonicNow.nanoseconds()
            guard case .success(let photo) = await glasses.camera.capturePhoto() else { return nil }
            times.append(MonotonicNow.nanoseconds() - start)
            if let uri = photo.uri, let file = URL(string: uri) { unlink(file.path) }
        }
        return times.sorted()
    }

    private static func text(_ sorted: [Int64]) -> String {
        String(
            format: "p50 %.1f ms, p99 %.1f ms", Double(sorted[sorted.count / 2]) / 1e6,
            Double(sorted[sorted.count * 99 / 100]) / 1e6)
    }
}
