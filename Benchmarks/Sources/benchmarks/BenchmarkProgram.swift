import Foundation

@main
enum BenchmarkProgram {
    /// Every benchmark; a new one gets a file and its place here.
    private static let all: [any Benchmark.Type] = [WebSocketFrames.self, Pictures.self]

    static func main() {
        var isJSON = false
        var chosen: [any Benchmark.Type] = []
        for argument in CommandLine.arguments.dropFirst() {
            switch argument {
            case "-h", "--help":
                print(usage)
                return
            case "--json": isJSON = true
            default:
                guard let benchmark = all.first(where: { $0.name == argument }) else {
                    FileHandle.standardError.write(Data((usage + "\n").utf8))
                    exit(2)
                }
                chosen.append(benchmark)
            }
        }
        for benchmark in chosen.isEmpty ? all : chosen {
            for figure in benchmark.run() { print(isJSON ? json(benchmark.name, figure) : line(figure)) }
        }
    }

    private static var usage: String {
        "Usage: benchmarks [--json] [BENCHMARK...]\n"
            + all.map { "  \($0.name)\t\($0.summary)" }.joined(separator: "\n")
    }

    private static func line(_ figure: Figure) -> String {
        figure.name.padding(toLength: 44, withPad: " ", startingAt: 0)
            + String(format: "%10.2f ", figure.value) + figure.unit
    }

    private static func json(_ benchmark: String, _ figure: Figure) -> String {
        String(
            format: #"{"benchmark":"%@","name":"%@","value":%.4f,"unit":"%@"}"#, benchmark, figure.name, figure.value,
            figure.unit)
    }
}
