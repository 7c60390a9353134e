// Lives through many conversations with faults and prints what struck, what was visited, and which seed failed.
// swift run -c release session-storm --seeds 100000
// swift run session-storm --trace 11 --file seed-11.trace && glasses replay seed-11.trace --print
import Dispatch
import Foundation
import GlassesAssistant
import GlassesDomain
import SessionStorm
import Synchronization

struct Options {
    var seeds = 2_000
    var first: UInt64 = 0
    var lanes = 2
    var bugs = false
    /// Whether each conversation is replayed from its trace, too.
    var replays = false
    /// Whether the trace has no texts.
    var masks = false
    /// How many worlds of each configuration the search for reachable pairs looks at; nil searches none.
    var reach: Int?
    var trace: UInt64?
    /// Where the trace is written, for `glasses replay`; nil prints it.
    var file: String?

    init?(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let name = rest.popFirst() {
            switch name {
            case "--bugs":
                bugs = true
                continue
            case "--replays":
                replays = true
                continue
            case "--masked":
                masks = true
                continue
            case "--file":
                guard let path = rest.popFirst() else { return nil }
                file = path
                continue
            default: break
            }
            guard let text = rest.popFirst(), let number = UInt64(text) else { return nil }
            switch name {
            case "--seeds": seeds = Int(clamping: number)
            case "--first": first = number
            case "--lanes": lanes = max(1, min(64, Int(clamping: number)))
            case "--trace": trace = number
            case "--reach": reach = Int(clamping: number)
            default: return nil
            }
        }
    }
}

func list(_ pairs: Set<StormWorld.Pair>) -> String {
    let inputs = Dictionary(grouping: pairs, by: \.input).sorted { $0.key < $1.key }
    let lines = inputs.map { input, pairs in
        "    \(input) in \(pairs.map(\.state.rawValue).sorted().joined(separator: ", "))"
    }
    return lines.isEmpty ? "none" : "\n" + lines.joined(separator: "\n")
}

guard let options = Options(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(
        Data(
            """
            Usage: session-storm [--seeds N] [--first SEED] [--lanes N] [--bugs] [--replays]
                   session-storm --reach WORLDS
                   session-storm --trace SEED [--file FILE] [--masked]

            """.utf8))
    exit(2)
}
if let seed = options.trace {
    let world = StormWorld(seed: seed, isTraced: true)
    world.run()
    var privacy = TracePrivacy()
    privacy.keepsText = !options.masks
    let bytes = try world.traceFile(privacy)
    if let file = options.file {
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    } else {
        for step in try SessionTrace(file: bytes).steps {
            for line in TraceStory(since: .zero).lines(of: step) { print(line) }
        }
    }
    print(world.situation)
    for turn in world.turns { print("turn:", turn) }
    print(world.violation.map { "\($0)" } ?? "nothing failed")
    exit(world.violation == nil ? 0 : 1)
}

if let reach = options.reach {
    let begin = ContinuousClock.now
    var search = ReachSearch()
    search.run(worlds: reach)
    print("\(search.worlds) worlds, \(search.pairs.count) pairs in \(ContinuousClock.now - begin)")
    print("found and ruled out by hand:", list(search.pairs.subtracting(ReachablePairs.all)))
    print("not found and not ruled out:", list(ReachablePairs.all.subtracting(search.pairs)))
    exit(0)
}
let total = Mutex(StormRun())
let begin = ContinuousClock.now
let share = (options.seeds + options.lanes - 1) / options.lanes
DispatchQueue.concurrentPerform(iterations: options.lanes) { lane in
    var run = StormRun()
    let last = min(options.seeds, (lane + 1) * share)
    for number in (lane * share)..<max(lane * share, last) { run.add(seed: options.first + UInt64(number)) }
    total.withLock { $0.add(run) }
}
let run = total.withLock { $0 }
let seconds = (ContinuousClock.now - begin) / .seconds(1)
print(
    "\(run.conversations) conversations, \(run.steps) steps in \(seconds.formatted()) s: "
        + "\(Int(Double(run.conversations) / seconds)) a second")
for (fault, count) in run.counts.strikes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
    print("  \(fault.rawValue): \(count)")
}
let reachable = ReachablePairs.all
print("state and event met in \(run.pairs.count) pairs, of \(reachable.count) that can happen")
print("never met:", list(reachable.subtracting(run.pairs)))
print("met and impossible:", list(run.pairs.subtracting(reachable)))
for failure in run.failures {
    print("seed \(failure.seed): \(failure.violation)")
    print("    session-storm --trace \(failure.seed) --file seed-\(failure.seed).trace")
}
if options.bugs {
    for bug in StormBug.allCases {
        let seeds = StormRun.seeds(toCatch: bug)
        print("\(bug.rawValue) is caught by \(bug.invariant.rawValue) within \(seeds.map { "\($0)" } ?? "no") seeds")
    }
}
let problems = Mutex<[String]>([])
if options.replays {
    DispatchQueue.concurrentPerform(iterations: options.seeds) { number in
        let seed = options.first + UInt64(number)
        guard let problem = StormWorld.replayProblem(seed: seed) else { return }
        problems.withLock { $0.append("seed \(seed) does not replay: \(problem)") }
    }
    let found = problems.withLock { $0 }
    for problem in found.prefix(20) { print(problem) }
    print("\(options.seeds - found.count) conversations replay to the same from their traces, with texts and without")
}
// So many conversations meet everything that can happen, and every fault often; fewer miss what is rare.
let isWhole =
    options.seeds < 100_000
    || reachable.isSubset(of: run.pairs)
        && StormFault.allCases.allSatisfy { run.counts.strikes[$0, default: 0] >= 1_000 }
let isSound = run.failures.isEmpty && run.pairs.isSubset(of: reachable) && problems.withLock(\.isEmpty)
exit(isWhole && isSound ? 0 : 1)
