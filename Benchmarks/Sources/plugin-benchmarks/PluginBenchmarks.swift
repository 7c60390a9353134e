import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization

/// Measures one transport in this process and in a child, in turns, and prints what the child adds.
///
/// Needs glasses-plugin-host and glasses-plugin-probe beside it or named by their variables, and the plugin as its only argument.
@main
enum PluginBenchmarks {
    private static let rounds = 3
    private static let seconds = 10.0

    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("Usage: plugin-benchmarks LIBRARY\n".utf8))
            exit(2)
        }
        let plugin = CommandLine.arguments[1]
        var results: [PluginIsolation: [Round]] = [:]
        for round in 0..<rounds {
            // In turns, so that what else the machine does falls on both.
            for isolation in [PluginIsolation.inProcess, .process] {
                guard let result = await Round.run(plugin, isolation, seconds: seconds) else {
                    FileHandle.standardError.write(Data("round \(round) failed\n".utf8))
                    exit(1)
                }
                results[isolation, default: []].append(result)
            }
        }
        for (name, isolation) in [("in process", PluginIsolation.inProcess), ("child", .process)] {
            report(name, results[isolation] ?? [])
        }
        let restarts = await Restarts.run(plugin, count: 5)
        print("child: crash to first block  \(restarts.map { String(format: "%.1f", $0) }.joined(separator: " ")) ms")
    }

    private static func report(_ name: String, _ rounds: [Round]) {
        guard !rounds.isEmpty else { return }
        let count = Double(rounds.count)
        let start = rounds.map(\.start).sorted()[rounds.count / 2]
        let own = rounds.map(\.ownCPU).reduce(0, +) / count
        let child = rounds.map(\.childCPU).reduce(0, +) / count
        let figures = String(
            format: "start to first block %.1f ms; CPU %.4f s here, %.2f s in the child", start, own, child)
        print("\(name): \(figures), in \(Int(seconds)) s of \(rounds[0].blocks) blocks")
    }
}
