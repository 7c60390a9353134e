import GlassesAssistant
import GlassesDomain

/// Which pairs of a state and an input can happen at all: a breadth-first search over the pure machine from its beginning, in which
/// everything may come next that the contract of `SessionInput` allows. It knows nothing of the storm.
public struct ReachSearch {
    /// What was found, and how many worlds were looked at.
    public private(set) var pairs: Set<StormWorld.Pair> = []
    /// Worlds from which everything was tried.
    public private(set) var worlds = 0

    /// Nothing yet.
    public init() {}

    /// Searches the sessions of every configuration that the storm knows, `worlds` of each at most.
    public mutating func run(worlds most: Int) {
        for configuration in Self.configurations { run(configuration, most) }
    }

    private mutating func run(_ configuration: SessionConfiguration, _ most: Int) {
        let beginning = ReachWorld(configuration)
        var queue = Self.ways.compactMap { beginning.after($0) }
        var seen = Set(queue.map(\.likeness))
        // Worlds that were reached by something new go first; of the others, those that were found first.
        var fresh: [ReachWorld] = []
        var next = 0
        for _ in 0..<most {
            let world: ReachWorld
            if let first = fresh.popLast() {
                world = first
            } else if next < queue.count {
                world = queue[next]
                next += 1
            } else {
                return
            }
            worlds += 1
            for input in world.offers() {
                let isNew = pairs.insert(StormWorld.Pair(state: world.state, input: input.kind)).inserted
                var after = world
                after.take(input)
                guard seen.insert(after.likeness).inserted else { continue }
                if isNew { fresh.append(after) } else { queue.append(after) }
            }
        }
    }

    /// Where the search begins, so that it does not have to find its way into the middle of a conversation: each is a way from the
    /// session's beginning, by the kinds of its inputs.
    private static var ways: [[String]] {
        let awake = ["operation.start", "operation.wake", "connectionOpened", "server.sessionUpdated"]
        let busy =
            awake + [
                "operation.sendText", "server.itemAdded", "server.answerCreated", "server.answerAudioReceived",
                "server.functionCallCompleted", "server.answerDone",
            ]
        return [
            [], awake, busy, busy + ["connectionClosed"], busy + ["operation.sleep", "connectionClosed"],
            ["operation.start", "operation.wake", "operation.sleep", "connectionOpened", "server.sessionUpdated"],
            awake + Array(repeating: "turnAppended", count: 9),
            awake + ["timer.rotation.due", "timer.rotation.quiet", "connectionOpened", "server.sessionUpdated"],
        ]
    }

    /// One for each machine in a session that another one does not have.
    private static var configurations: [SessionConfiguration] {
        var usual = SessionConfiguration()
        usual.tools = [
            ToolFacts(name: "a", schema: ["type": "object"], timeout: .seconds(2)),
            ToolFacts(name: "leave", schema: ["type": "object"], role: .endsConversation),
        ]
        usual.sleepPhrases = ["good night"]
        usual.hasWakeHook = true
        usual.hasSleepHook = true
        usual.remembers = true
        var changes: [(inout SessionConfiguration) -> Void] = [
            { _ in },
            {
                $0.startsActive = true
                $0.greeting = .speak(text: "x")
            },
            { $0.sessionCeiling = .seconds(1_200) },
            { $0.interruption = InterruptionConfig() }, { $0.turnTaking = .pushToTalk },
        ]
        for plan in [CompactionPlan.summarise, .replace] {
            changes.append {
                $0.compaction = plan
                $0.historyCap = 8
            }
        }
        return changes.map { change in
            var configuration = usual
            change(&configuration)
            return configuration
        }
    }
}
