import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization

/// A few seconds of one stream.
struct Round: Sendable {
    /// From the plugin's hand to the consumer, in nanoseconds, one for each block or frame.
    var latencies: [Int64] = []
    /// How many did not hold what the plugin had put in.
    var wrong = 0
    /// From an idle host to the first block or frame, in milliseconds.
    var start = 0.0
    /// Seconds of CPU in a second.
    var ownCPU = 0.0
    var childCPU = 0.0

    private struct Heard {
        var first: Int64?
        var latencies: [Int64] = []
        var wrong = 0
    }

    static func run(
        _ plugin: String, _ isolation: PluginIsolation, _ stream: BenchStream, seconds: Double
    ) async -> Round? {
        let heard = Mutex(Heard())
        let host = await BenchHost.scanned(plugin, isolation)
        let begin = MonotonicClock.now()
        guard let transport = await BenchHost.connect(host) else { return nil }
        let isOpen = await stream.open(transport) { delivery in
            heard.withLock { heard in
                heard.first = heard.first ?? delivery.arrived
                heard.latencies.append(delivery.arrived - delivery.handedOver)
                heard.wrong += delivery.isRight ? 0 : 1
            }
        }
        guard isOpen else { return nil }
        let children = BenchHost.children()
        let cpu = { children.map(MonotonicClock.cpu).reduce(0, +) }
        let (own, child, from) = (MonotonicClock.ownCPU(), cpu(), MonotonicClock.now())
        do { try await Task.sleep(for: .seconds(seconds)) } catch { return nil }
        let elapsed = Double(MonotonicClock.now() - from) / 1e9
        var round = Round(
            ownCPU: (MonotonicClock.ownCPU() - own) / elapsed, childCPU: (cpu() - child) / elapsed)
        await transport.shutdown()
        heard.withLock { heard in
            round.start = Double((heard.first ?? begin) - begin) / 1e6
            round.latencies = heard.latencies
            round.wrong = heard.wrong
        }
        return round
    }
}
