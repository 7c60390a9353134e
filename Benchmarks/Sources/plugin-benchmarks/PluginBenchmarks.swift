import Foundation
import GlassesPluginHost

/// Measures the benchmark device in this process and in a child, in turns, and prints what the child adds.
///
/// Needs glasses-plugin-host and glasses-plugin-probe beside it or named by their variables, and the plugin as its only argument.
@main
enum PluginBenchmarks {
    private static let rounds = 3
    private static let seconds = 5.0
    private static let kills = 8
    private static let frameBytes = 720 * 1_280 * 3 / 2

    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("Usage: plugin-benchmarks LIBRARY\n".utf8))
            exit(2)
        }
        let plugin = CommandLine.arguments[1]
        let (copy, sum) = (CopyCost.measure(bytes: frameBytes), CopyCost.measureSum(bytes: frameBytes))
        print(
            text(
                "copies of a frame between plugin and consumer: 1, which costs %.0f us here; its sum %.0f us", copy, sum
            ))
        for stream in BenchStream.allCases { await compare(plugin, stream) }
        let restarts = await Restarts.run(plugin, count: kills).sorted()
        guard restarts.count == kills else { fail("only \(restarts.count) of \(kills) children came back") }
        let all = restarts.map { text("%.1f", $0) }.joined(separator: " ")
        print(text("crash to first frame of the new child: median %.1f ms; all: ", restarts[kills / 2]) + all)
    }

    private static func compare(_ plugin: String, _ stream: BenchStream) async {
        var results: [PluginIsolation: [Round]] = [:]
        for _ in 0..<rounds {
            // In turns, so that what else the machine does falls on both.
            for isolation in [PluginIsolation.inProcess, .process] {
                guard let result = await Round.run(plugin, isolation, stream, seconds: seconds) else {
                    fail("\(stream.name) did not run")
                }
                results[isolation, default: []].append(result)
            }
        }
        let (here, child) = (Figures(results[.inProcess] ?? []), Figures(results[.process] ?? []))
        print("\(stream.name)\n  in process: \(here)\n  child:      \(child)")
        print(text("  the child adds %.0f us (p50), %.0f us (p99)", child.median - here.median, child.tail - here.tail))
        guard here.wrong + child.wrong == 0 else { fail("\(here.wrong + child.wrong) had the wrong sum") }
    }

    private static func fail(_ what: String) -> Never {
        FileHandle.standardError.write(Data("plugin-benchmarks: \(what)\n".utf8))
        exit(1)
    }

    private static func text(_ format: String, _ values: Double...) -> String {
        String(format: format, arguments: values)
    }
}

/// What several rounds of one stream come to.
private struct Figures: CustomStringConvertible {
    let median: Double
    let tail: Double
    let wrong: Int
    private let count: Int
    private let start: Double
    private let ownCPU: Double
    private let childCPU: Double

    init(_ rounds: [Round]) {
        let latencies = rounds.flatMap(\.latencies).sorted()
        median = Self.quantile(latencies, 0.5)
        tail = Self.quantile(latencies, 0.99)
        count = latencies.count
        wrong = rounds.map(\.wrong).reduce(0, +)
        start = rounds.map(\.start).sorted()[rounds.count / 2]
        ownCPU = rounds.map(\.ownCPU).reduce(0, +) / Double(rounds.count)
        childCPU = rounds.map(\.childCPU).reduce(0, +) / Double(rounds.count)
    }

    private static func quantile(_ sorted: [Int64], _ part: Double) -> Double {
        sorted.isEmpty ? 0 : Double(sorted[Int(Double(sorted.count - 1) * part)]) / 1e3
    }

    var description: String {
        let arrival = String(format: "p50 %.0f us, p99 %.0f us of %d", median, tail, count)
        let cost = String(format: "CPU %.2f %% here, %.2f %% in the child", ownCPU * 100, childCPU * 100)
        return arrival + "; " + cost + String(format: "; start to first %.1f ms", start)
    }
}
