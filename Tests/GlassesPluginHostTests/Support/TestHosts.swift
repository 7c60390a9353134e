import Foundation
import GlassesDomain
import Synchronization
import Testing

@testable import GlassesPluginHost

/// Things that arrive from several threads, in order.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    func append(_ element: Element) { elements.withLock { $0.append(element) } }
    var all: [Element] { elements.withLock { $0 } }
}

/// The folder of the test binary, where the build puts plugins and the probe.
let buildFolder: String = (CommandLine.arguments[0] as NSString).deletingLastPathComponent

extension PluginHostConfiguration {
    /// A host that sees exactly `entries` and remembers nothing on disk unless told where.
    static func test(
        _ entries: [String], cache: String? = nil, isolation: PluginIsolation = .inProcess
    ) -> PluginHostConfiguration {
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        configuration.isolation = isolation
        // Nor may its load count as an outage; the policy itself has its own tests.
        configuration.supervision = SupervisionLimits(
            outage: .seconds(60), proof: .seconds(60), earlyDeath: .seconds(60), call: .seconds(20))
        configuration.searchPath = PluginSearchPath(entries: entries)
        configuration.cacheFolder = cache
        // A busy test machine may take seconds for a process start; the limit itself has its own test.
        configuration.probeLimit = .seconds(20)
        return configuration
    }
}

extension PluginIsolation {
    /// Every test of what a plugin does runs in both.
    static let both: [PluginIsolation] = [.inProcess, .process]
}

/// Waits for a condition, at most `limit`; false when it did not come true.
func eventually(within limit: Duration = .seconds(10), _ condition: @Sendable () async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return await condition()
}
