import Foundation
import GlassesDomain
import SoundServer
import Testing

/// A `glasses talk` on a private sound server whose plugins' processes are killed while it converses.
final class StruckTalk {
    /// A spoken sentence and what it adds to the history; its tool takes no arguments.
    struct Line: Sendable {
        let sentence: String
        let tool: String
        let output: String
        let answer: String
    }

    /// What the assistant did so far, for comparison with the script.
    struct History: Sendable, Hashable {
        var heard: [String] = []
        var calls: [String] = []
        var outputs: [String] = []
        var answers: [String] = []
    }

    /// What is said, over and over; both recognisers hear it right.
    static let script = [
        Line(
            sentence: "what do you remember", tool: "recall", output: "You have not asked me to remember anything.",
            answer: "You have not asked me to remember anything."),
        Line(sentence: "what time is it", tool: "get_time", output: "It is TIME", answer: "It is TIME"),
    ]

    /// Two kills of one process are so far apart that its new child counts as a good one.
    private static let distance: Duration = .seconds(6)

    let talk: TalkProcess
    private let pulse: PrivatePulse
    private let speech: [String: [Int16]]
    private var plan: BlowPlan
    private var lastBlow: ContinuousClock.Instant?
    private var turns = 0

    init(_ pulse: PrivatePulse, _ voice: SpokenTestVoice, _ plan: BlowPlan) async throws {
        self.pulse = pulse
        self.plan = plan
        var speech: [String: [Int16]] = [:]
        for line in Self.script { speech[line.sentence] = try await voice.speech(line.sentence) }
        self.speech = speech
        talk = try TalkProcess(
            pulse, ["--device", "system", "--mic", pulse.microphone, "--speaker", pulse.speaker])
        try #require(await talk.prints(of: "ready", within: .seconds(30)), "it gets ready")
    }

    /// The line whose turn it is.
    private func nextLine() -> Line {
        defer { turns += 1 }
        return Self.script[turns % Self.script.count]
    }

    /// Speaks the next sentence and waits for its answer's end; `blow` comes on the way. Answers the line.
    @discardableResult
    func turn(_ blow: Blow? = nil) async throws -> Line {
        let line = nextLine()
        let finished = count("assistantAudioFinished")
        try await say(line.sentence, blow)
        let isAnswered = await talk.prints(finished + 1, of: "assistantAudioFinished", within: .seconds(30))
        try #require(isAnswered, "\(line.sentence) is answered: \(recent)")
        if let blow, blow.moment == .silence { try await strike(blow, after: plan.moment(in: 0...1_500)) }
        return line
    }

    /// Speaks the next sentence and kills a process meanwhile. What comes of that sentence is anybody's guess; waits until nothing
    /// more does.
    func struckSentence(_ blow: Blow) async throws {
        let finished = count("assistantAudioFinished")
        try await say(nextLine().sentence, blow)
        _ = await talk.prints(finished + 1, of: "assistantAudioFinished", within: .seconds(8))
        let isQuiet = await eventually(within: 20) {
            count("assistantAudioStarted") == count("assistantAudioFinished")
        }
        #expect(isQuiet)
    }

    /// Speaks the next sentence, which calls its tool.
    func expectUnderstood() async throws {
        let calls = count("toolCalled")
        let line = try await turn()
        let call = talk.events("toolCalled").dropFirst(calls).first
        #expect(call?["name"]?.stringValue == line.tool, "\(recent)")
        #expect(call?["args"] == [:])
    }

    /// Speaks `sentence` to its end, and deals the blow that comes until its answer is heard.
    private func say(_ sentence: String, _ blow: Blow?) async throws {
        try await keepDistance(to: blow)
        let (started, understood) = (count("assistantAudioStarted"), count("userSpoke"))
        let samples = speech[sentence] ?? []
        let playing = try pulse.play(samples, to: "mic")
        if let blow, blow.moment == .hearing {
            try await strike(blow, after: plan.moment(in: Self.spoken(samples)))
        }
        try #require(await eventually(within: 30) { playing.hasEnded })
        switch blow?.moment {
        case .thinking where blow?.kind == "tts":
            try #require(await talk.prints(understood + 1, of: "userSpoke", within: .seconds(20)), "\(recent)")
            try await strike(blow, after: .zero)
        case .thinking:
            // The sound server has played all of it, silence at its end included, and the answer has not begun.
            try await strike(blow, after: plan.moment(in: 0...300))
        case .speaking:
            let isHeard = await talk.prints(started + 1, of: "assistantAudioStarted", within: .seconds(20))
            try #require(isHeard, "\(recent)")
            try await strike(blow, after: plan.moment(in: 100...1_000))
        case .hearing, .silence, nil: break
        }
    }

    /// The time of the words in a recording, in ms after it is begun to be played, which takes a while.
    private static func spoken(_ samples: [Int16]) -> ClosedRange<Int> { 700...max(701, samples.count / 48 - 600) }

    /// Kills the process that carries the blow's plugin, and waits for its end; for a device's until another one serves. An engine is
    /// mended when it is needed.
    private func strike(_ blow: Blow?, after delay: Duration) async throws {
        guard let blow else { return }
        try await Task.sleep(for: delay)
        // An engine that has died may be loaded just now.
        _ = await eventually(within: 20) { carrier(of: blow.kind) != nil }
        let process = try #require(carrier(of: blow.kind), "\(blow.kind) has a process")
        let before = outages.count
        lastBlow = .now
        kill(process, blow.signal)
        let isOver = await eventually(within: 20) {
            blow.kind == "transport"
                ? outages.count > before : !ProcessFigures.children(of: talk.process).contains(process)
        }
        try #require(isOver, "\(blow): \(recent)")
    }

    private func keepDistance(to blow: Blow?) async throws {
        guard blow != nil, let lastBlow else { return }
        let left = Self.distance - (ContinuousClock.now - lastBlow)
        if left > .zero { try await Task.sleep(for: left) }
    }

    /// Kills the transport's process, and each one that is started instead, until none is; answers how many it took.
    func killUntilGivenUp() async throws -> Int {
        var kills = 0
        while talk.events("pluginGivenUp").isEmpty {
            let process = try #require(carrier(of: "transport"))
            kill(process, SIGSEGV)
            kills += 1
            let goesOn = await eventually(within: 10) {
                let next = carrier(of: "transport")
                return next != nil && next != process || !talk.events("pluginGivenUp").isEmpty
            }
            try #require(goesOn, "\(recent)")
        }
        return kills
    }
}

// MARK: - What it tells

extension StruckTalk {
    /// The outages of the device's plugin so far, in ms.
    var outages: [Int] {
        events("pluginReplaced", of: "transport").compactMap { $0["outageMs"]?.intValue.map { Int($0) } }
    }

    /// The events of one name about the plugins of a kind.
    func events(_ name: String, of kind: String) -> [JSONValue] {
        talk.events(name).filter { $0["kind"]?.stringValue == kind }
    }

    /// The newest living process of a kind's plugins.
    private func carrier(of kind: String) -> pid_t? {
        let living = ProcessFigures.children(of: talk.process)
        return (events("pluginStarted", of: kind) + events("pluginReplaced", of: kind))
            .compactMap { event in event["process"]?.intValue.map { (event["t"]?.doubleValue ?? 0, pid_t($0)) } }
            .sorted { $0.0 < $1.0 }.last { living.contains($0.1) }?.1
    }

    private func count(_ event: String) -> Int { talk.events(event).count }

    /// The last lines of its output, for messages.
    var recent: String { talk.events.suffix(12).map(\.jsonText).joined(separator: "\n") }

    /// The states that the session had, and the kinds of its errors.
    var states: [String] { talk.events("state").compactMap { $0["state"]?.stringValue } }
    var errors: [JSONValue] { talk.events("error") }

    /// What it did so far.
    var history: History {
        History(
            heard: texts("userSpoke", "transcript").map(Self.normalized),
            calls: talk.events("toolCalled").map {
                "\($0["name"]?.stringValue ?? "") \($0["args"]?.jsonText ?? "")"
            },
            outputs: texts("toolResult", "output"), answers: texts("assistantSpoke", "transcript"))
    }

    /// What it does when it hears `lines` without a disturbance.
    static func history(of lines: [Line]) -> History {
        History(
            heard: lines.map { normalized($0.sentence) }, calls: lines.map { "\($0.tool) {}" },
            outputs: lines.map(\.output), answers: lines.map(\.answer))
    }

    private func texts(_ event: String, _ field: String) -> [String] {
        talk.events(event).compactMap { $0[field]?.stringValue?.replacing(/\d.*M\.?/, with: "TIME") }
    }

    private static func normalized(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0 == " " }
    }
}
