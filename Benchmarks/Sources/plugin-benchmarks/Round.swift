import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization

/// A few seconds of one transport's microphone and loudspeaker.
struct Round: Sendable {
    /// How many blocks came.
    var blocks = 0
    /// From nothing to the first block, in milliseconds.
    var start = 0.0
    var ownCPU = 0.0
    var childCPU = 0.0

    static func open(_ plugin: String, _ isolation: PluginIsolation) async -> (any GlassesTransport)? {
        var configuration = PluginHostConfiguration(folders: [plugin])
        configuration.isolation = isolation
        let host = PluginHost(configuration: configuration)
        // The scan is not what is measured.
        _ = await host.scan()
        return await host.transport(id: "org.extentos.loopback", settings: ["sampleRate": 16_000]).success
    }

    static func run(_ plugin: String, _ isolation: PluginIsolation, seconds: Double) async -> Round? {
        let begin = now()
        guard let transport = await open(plugin, isolation), await transport.connect(deviceId: nil).success != nil
        else {
            return nil
        }
        let heard = Mutex<(first: Int64?, blocks: Int)>((nil, 0))
        _ = await transport.speaker?.open { _ in }
        _ = await transport.microphone?.open { _ in
            heard.withLock { heard in
                heard.first = heard.first ?? now()
                heard.blocks += 1
            }
        }
        let (own, child) = (ownCPU(), childCPU())
        try? await Task.sleep(for: .seconds(seconds))
        var round = Round()
        (round.ownCPU, round.childCPU) = (ownCPU() - own, childCPU() - child)
        (round.start, round.blocks) = heard.withLock { (Double(($0.first ?? begin) - begin) / 1e6, $0.blocks) }
        await transport.shutdown()
        return round
    }

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func ownCPU() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    /// What the kernel counted for the children, in steps of a hundredth of a second.
    private static func childCPU() -> Double {
        Restarts.children().compactMap { child -> Double? in
            guard let fields = Restarts.fields(of: child), fields.count > 12, let user = Double(fields[11]),
                let system = Double(fields[12])
            else { return nil }
            return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }.reduce(0, +)
    }
}
