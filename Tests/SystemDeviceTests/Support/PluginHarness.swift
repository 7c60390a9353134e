import Foundation
import GlassesDomain
import GlassesPluginHost
import SoundServer
import Synchronization
import Testing

/// The built plugin, loaded by the host as an app would have it.
struct PluginHarness: Sendable {
    /// What the host complained about.
    final class Complaints: Sendable {
        private let list = Mutex<[String]>([])
        func add(_ text: String) { list.withLock { $0.append(text) } }
        var all: [String] { list.withLock { $0 } }
    }

    let transport: any GlassesTransport
    let complaints = Complaints()

    /// Loads the plugin; it is not connected.
    init(
        _ settings: JSONValue, isolation: PluginIsolation = .inProcess, grants: PluginGrantsStore? = nil
    ) async throws {
        SoundLab.prepare()
        let host = Self.host(complaints, isolation: isolation, grants: grants)
        let result = await host.transport(id: "org.extentos.system-device", settings: settings)
        transport = try #require(result.success, "\(String(describing: result.failure))")
    }

    /// Loads the plugin and answers why that failed; nil when it did not.
    static func refusal(_ settings: JSONValue) async -> ConnectError? {
        SoundLab.prepare()
        let result = await host(Complaints()).transport(id: "org.extentos.system-device", settings: settings)
        await result.success?.shutdown()
        return result.failure
    }

    /// The built plugin, as a scan finds it.
    static func plugin() async throws -> FoundPlugin { try #require(await host(Complaints()).scan().found.first) }

    private static func host(
        _ complaints: Complaints, isolation: PluginIsolation = .inProcess, grants: PluginGrantsStore? = nil
    ) -> PluginHost {
        let build = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        configuration.searchPath = PluginSearchPath(entries: [build + "/extentos_SystemDevice.resources"])
        configuration.cacheFolder = nil
        configuration.isolation = isolation
        configuration.grants = grants
        configuration.probeLimit = .seconds(20)
        configuration.checking = .maximal
        configuration.onMisbehaviour = { complaints.add($0.description) }
        return PluginHost(configuration: configuration)
    }
}

/// Blocks that the microphone delivered.
final class Blocks: Sendable {
    private let list = Mutex<[PCMBlock]>([])
    func add(_ block: PCMBlock) { list.withLock { $0.append(block) } }
    var all: [PCMBlock] { list.withLock { $0 } }
    var frames: Int { list.withLock { $0.reduce(0) { $0 + $1.samples.count } } }
}
