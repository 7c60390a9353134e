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
            default: return nil
            }
        }
    }
}

guard let options = Options(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(
        Data(
            """
            Usage: session-storm [--seeds N] [--first SEED] [--lanes N] [--bugs] [--replays]
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
print("state and event met in \(run.pairs.count) pairs")
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
exit(run.failures.isEmpty && problems.withLock(\.isEmpty) ? 0 : 1)
