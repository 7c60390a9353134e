import GlassesAssistant
import GlassesDomain
import SeededRandom

/// Something that the user says.
struct StormUtterance: Sendable, Hashable {
    var number: Int
    /// Its words, which no other utterance has.
    var text: String
    var milliseconds: Int
    /// How many tools it makes the model call.
    var tools: Int
    /// Whether the provider heard all of it.
    var isWhole = true
    /// Whether it only says that the user listens.
    var isBackchannel = false
}

/// What the user does next.
struct StormTurn: Sendable, Hashable {
    var utterance: StormUtterance
    /// Speaks over the assistant instead of waiting for its end.
    var bargesIn: Bool
}

/// What a seed decides before anything happens.
struct StormPlan: Sendable {
    static let turns = 10

    var configuration = SessionConfiguration()
    var turns: [StormTurn] = []
    /// How the provider reports its session.
    var interrupts = true
    var creates = true
    /// Which faults may strike in this conversation.
    var faults: Set<StormFault> = []
    /// Whether something happens before the session's start and after its end.
    var happensOddly = false
    /// The usual delay on the wire, one way, in milliseconds.
    var wire = 20

    /// Whether the session decides what interrupts an answer, and the provider only hears.
    var decidesItself: Bool { configuration.interruption != nil }

    /// Whether the app tells when the user's turns begin and end.
    var isPushToTalk: Bool { configuration.turnTaking == .pushToTalk }

    /// Whether the session itself says what is cut.
    var followsActions: Bool { decidesItself || isPushToTalk }

    /// Whether the app edits the history, after which no list of turns can be expected.
    var editsHistory: Bool { faults.contains(.historyEdit) }

    init(seed: UInt64, random: inout SeededGenerator) {
        interrupts = Int.random(in: 0..<4, using: &random) != 0
        creates = Int.random(in: 0..<6, using: &random) != 0
        wire = Int.random(in: 5...120, using: &random)
        configure(seed, &random)
        turns = (0..<Self.turns).map { Self.turn($0, &random) }
        chooseFaults(&random)
        chooseTurnTaking(&random)
        happensOddly = Int.random(in: 0..<6, using: &random) == 0
        if happensOddly {
            faults.formUnion([.staleTimer, .strayEvent])
            if Bool.random(using: &random) { faults.formUnion([.ceiling, .refusal]) }
        }
    }

    /// Some sessions decide themselves what interrupts, and in some the app tells the turns.
    private mutating func chooseTurnTaking(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: configuration.interruption = InterruptionConfig()
        case 2: configuration.turnTaking = .pushToTalk
        default: return
        }
        interrupts = false
        creates = false
        if followsActions, Int.random(in: 0..<4, using: &random) == 0 {
            configuration.protectsGreeting = true
            configuration.greeting = .speak(text: "\(AnswerRequest.protectedText) hello")
        }
        guard decidesItself else { return }
        for index in turns.indices where turns[index].bargesIn && Bool.random(using: &random) {
            let sound = Self.backchannels[index % Self.backchannels.count]
            turns[index].utterance.text = "\(sound) \(sound)"
            turns[index].utterance.milliseconds = Int.random(in: 150...400, using: &random)
            turns[index].utterance.tools = 0
            turns[index].utterance.isBackchannel = true
        }
    }

    /// One for each turn, so that they can be told apart.
    private static let backchannels = ["mm", "mhm", "hm", "hmm", "uh", "um", "ah", "oh", "huh", "yeah"]

    private mutating func configure(_ seed: UInt64, _ random: inout SeededGenerator) {
        configuration.randomSeed = seed
        configuration.tools = ["a", "b"].map {
            ToolFacts(name: $0, schema: ["type": "object", "required": ["x"]], timeout: .seconds(4))
        }
        configuration.tools.append(
            ToolFacts(name: "leave", schema: ["type": "object", "required": ["x"]], role: .endsConversation))
        configuration.remembers = Int.random(in: 0..<3, using: &random) == 0
        configuration.historyCap = Int.random(in: 0..<8, using: &random) == 0 ? 6 : 400
        if configuration.historyCap == 6, Bool.random(using: &random) {
            configuration.historyCap = 12
            configuration.compaction = Bool.random(using: &random) ? .summarise : .replace
        }
        configuration.startsActive = Bool.random(using: &random)
        configuration.hasWakeHook = Bool.random(using: &random)
        configuration.hasSleepHook = Bool.random(using: &random)
        configuration.sleepPhrases = ["good night"]
        configuration.transcriptPacing = Bool.random(using: &random) ? .continuous : .sentenceBeforeAudio
        configuration.defaultModel = Bool.random(using: &random) ? "gemini-3.1-flash-live" : nil
        switch Int.random(in: 0..<3, using: &random) {
        case 0: configuration.greeting = .none
        case 1: configuration.greeting = .compose(directive: "greet")
        default: configuration.greeting = .speak(text: "hello")
        }
    }

    private static func turn(_ number: Int, _ random: inout SeededGenerator) -> StormTurn {
        let words = Int.random(in: 1...8, using: &random)
        var text = (0..<words).map { "u\(number)w\($0)" }.joined(separator: " ")
        if Int.random(in: 0..<60, using: &random) == 0 { text = "good night" }
        return StormTurn(
            utterance: StormUtterance(
                number: number, text: text, milliseconds: 400 + words * 250,
                tools: Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 1...2, using: &random) : 0),
            bargesIn: Int.random(in: 0..<4, using: &random) == 0)
    }

    /// Most conversations meet a handful of kinds, so that a failure has few causes; some meet all.
    private mutating func chooseFaults(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: faults = Set(StormFault.allCases)
        case 1: faults = []
        default:
            for _ in 0..<Int.random(in: 2...7, using: &random) {
                if let fault = StormFault.allCases.randomElement(using: &random) { faults.insert(fault) }
            }
            // Nobody opens a second connection to a provider that never ends one.
            if faults.contains(.refusedSecond) { faults.insert(.ceiling) }
        }
    }
}
