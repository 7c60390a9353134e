import GlassesAudio
import Testing

@Suite struct EndpointerTests {
    static let frame = 320

    static func start(_ milliseconds: Int64) -> String { "start \(milliseconds)" }
    static func stop(_ end: Int64, _ lastVoiced: Int64, _ reason: Endpointer.StopReason = .silence) -> String {
        "stop \(end) voiced to \(lastVoiced) \(reason)"
    }

    /// Runs a timeline in which each character is 20 ms at 16 kHz: `#` speech, `~` sound between release and threshold,
    /// `.` silence; `x` means that the buffer is cleared, `|` that the audio ends, `!` that the turn is whole.
    static func run(
        _ timeline: String, _ config: EndpointerConfig = EndpointerConfig(), tuning: EndpointingTuning = .energy,
        isOverAnswer: Bool = false
    ) throws -> [String] {
        var endpointer = try Endpointer(config: config, tuning: tuning, sampleRate: 16_000)
        endpointer.isOverAnswer = isOverAnswer
        return timeline.compactMap { character in
            let action =
                switch character {
                case "#": endpointer.apply(.judged(probability: 0.9, frames: frame))
                case "~": endpointer.apply(.judged(probability: 0.3, frames: frame))
                case "x": endpointer.apply(.cleared)
                case "|": endpointer.apply(.ended)
                case "!": endpointer.apply(.turnCompleted)
                default: endpointer.apply(.judged(probability: 0.05, frames: frame))
                }
            return switch action {
            case .none: nil
            case .paused: "paused"
            case .resumed: "resumed"
            case .speechStarted(let begin): start(begin.milliseconds)
            case .speechStopped(let end, let lastVoiced, let reason):
                stop(end.milliseconds, lastVoiced.milliseconds, reason)
            }
        }
    }

    static func silent(_ milliseconds: Int) -> String { String(repeating: ".", count: milliseconds / 20) }
    static func voiced(_ milliseconds: Int) -> String { String(repeating: "#", count: milliseconds / 20) }

    @Test("An utterance begins 300 ms before its first voiced frame and ends after 500 ms of silence")
    func oneUtterance() throws {
        #expect(
            try Self.run(Self.silent(1_000) + Self.voiced(600) + Self.silent(1_000))
                == [Self.start(700), Self.stop(2_100, 1_600)])
    }

    @Test("The prefix ends at the stream's start")
    func prefixAtStart() throws {
        #expect(try Self.run(Self.silent(100) + Self.voiced(200)) == [Self.start(0)])
    }

    @Test("Less than 100 ms of sound is not an utterance", arguments: [20, 60, 80])
    func tooShort(milliseconds: Int) throws {
        #expect(try Self.run(Self.silent(500) + Self.voiced(milliseconds) + Self.silent(1_000)) == [])
    }

    @Test("Clicks that lie apart do not add up to an utterance")
    func clicks() throws {
        #expect(try Self.run(String(repeating: Self.voiced(40) + Self.silent(140), count: 20)) == [])
    }

    @Test("A short gap, as before a plosive, does not restart the count")
    func gapInOnset() throws {
        let timeline = Self.silent(1_000) + Self.voiced(60) + Self.silent(80) + Self.voiced(60)
        #expect(try Self.run(timeline) == [Self.start(700)])
    }

    @Test("Silence is counted from the last voiced sample of a judge that lingers, and ends no speech that lasts")
    func lingeringJudge() throws {
        var tuning = EndpointingTuning.neural
        tuning.lingerMs = 80
        let timeline = Self.silent(1_000) + Self.voiced(600) + Self.silent(1_000)
        #expect(
            try Self.run(timeline, EndpointerConfig(pauseMs: 200), tuning: tuning)
                == [Self.start(700), "paused", Self.stop(2_020, 1_520)])
        #expect(
            try Self.run(timeline, EndpointerConfig(silenceDurationMs: 50), tuning: tuning)
                == [Self.start(700), Self.stop(1_620, 1_520)])
    }

    @Test("A pause shorter than the silence duration does not end the utterance")
    func pause() throws {
        let timeline = Self.silent(1_000) + Self.voiced(300) + Self.silent(480) + Self.voiced(300) + Self.silent(600)
        #expect(try Self.run(timeline) == [Self.start(700), Self.stop(2_580, 2_080)])
    }

    @Test("Sound between release and threshold does not begin speech, but goes on with it and counts for its minimum")
    func hysteresis() throws {
        let soft = String(repeating: "~", count: 25)
        #expect(try Self.run(soft + soft) == [])
        #expect(try Self.run(soft + soft + "#" + soft) == [Self.start(700)])
        #expect(
            try Self.run(Self.silent(1_000) + Self.voiced(200) + soft + Self.silent(500))
                == [Self.start(700), Self.stop(2_200, 1_700)])
    }

    @Test("The next utterance never reaches back into the one before")
    func prefixAfterUtterance() throws {
        let timeline = Self.silent(1_000) + Self.voiced(200) + Self.silent(500) + Self.silent(100) + Self.voiced(200)
        #expect(try Self.run(timeline) == [Self.start(700), Self.stop(1_700, 1_200), Self.start(1_700)])
    }

    @Test("An utterance of 30 s is ended by force and goes on as the next one")
    func maximumUtterance() throws {
        let events = try Self.run(Self.silent(1_000) + Self.voiced(40_000))
        #expect(events == [Self.start(700), Self.stop(30_700, 30_700, .maximumUtterance), Self.start(30_700)])
    }

    @Test("Clearing the buffer forgets the utterance; offsets go on and do not reach back")
    func cleared() throws {
        let timeline = Self.silent(1_000) + Self.voiced(200) + "x" + Self.silent(100) + Self.voiced(200)
        #expect(try Self.run(timeline) == [Self.start(700), Self.start(1_200)])
    }

    @Test("The end of the audio ends the utterance, and only an utterance")
    func ended() throws {
        #expect(
            try Self.run(Self.silent(1_000) + Self.voiced(200) + Self.silent(40) + "|")
                == [Self.start(700), Self.stop(1_240, 1_200, .inputEnded)])
        #expect(try Self.run(Self.silent(1_000) + Self.voiced(60) + "||") == [])
    }

    @Test(
        "The parameters of server_vad are obeyed",
        arguments: [
            (EndpointerConfig(prefixPaddingMs: 0), ["start 1000", "stop 1700 voiced to 1200 silence"]),
            (EndpointerConfig(silenceDurationMs: 200), ["start 700", "stop 1400 voiced to 1200 silence"]),
            (EndpointerConfig(threshold: 0.95), []),
            (EndpointerConfig(minimumSpeechMs: 220), []),
            (EndpointerConfig(minimumSpeechMs: 0), ["start 700", "stop 1700 voiced to 1200 silence"]),
        ])
    func parameters(config: EndpointerConfig, expected: [String]) throws {
        #expect(try Self.run(Self.silent(1_000) + Self.voiced(200) + Self.silent(600), config) == expected)
    }

    @Test("Parameters outside their ranges are replaced by the nearest end")
    func clamping() {
        let low = EndpointerConfig(
            threshold: -1, prefixPaddingMs: .min, silenceDurationMs: .min, minimumSpeechMs: .min,
            maximumUtteranceMs: .min)
        let lowest = EndpointerConfig(
            threshold: 0, prefixPaddingMs: 0, silenceDurationMs: 50, minimumSpeechMs: 0, maximumUtteranceMs: 1_000)
        #expect(low == lowest)
        let high = EndpointerConfig(
            threshold: 2, prefixPaddingMs: .max, silenceDurationMs: .max, minimumSpeechMs: .max,
            maximumUtteranceMs: .max)
        let highest = EndpointerConfig(
            threshold: 1, prefixPaddingMs: 10_000, silenceDurationMs: 60_000, minimumSpeechMs: 2_000,
            maximumUtteranceMs: 600_000)
        #expect(high == highest)
        #expect(EndpointerConfig(threshold: .nan).threshold == 0.5)
    }

    @Test("A pause is told once, and again after the speech went on")
    func pauses() throws {
        let config = EndpointerConfig(pauseMs: 200)
        let timeline = Self.voiced(400) + Self.silent(300) + Self.voiced(100) + Self.silent(600)
        #expect(
            try Self.run(timeline, config)
                == [Self.start(0), "paused", "resumed", "paused", Self.stop(1_300, 800)])
        #expect(try Self.run(Self.voiced(400) + Self.silent(180) + Self.voiced(400), config) == [Self.start(0)])
    }

    @Test("A whole turn ends at once, and outside an utterance changes nothing")
    func wholeTurn() throws {
        #expect(
            try Self.run("!" + Self.voiced(400) + Self.silent(200) + "!" + Self.silent(600))
                == [Self.start(0), Self.stop(600, 400, .turnCompleted)])
        #expect(try Self.run(Self.voiced(60) + "!" + Self.voiced(60)) == [Self.start(0)])
    }

    @Test(
        "More sound is needed to cut an answer than to begin a turn",
        arguments: [(EndpointingTuning.energy, 100, 240), (.neural, 100, 160)])
    func bargeIn(tuning: EndpointingTuning, quiet: Int, over: Int) throws {
        #expect(try Self.run(Self.voiced(quiet), tuning: tuning) == [Self.start(0)])
        #expect(try Self.run(Self.voiced(over - 20) + Self.silent(900), tuning: tuning, isOverAnswer: true) == [])
        #expect(try Self.run(Self.voiced(over), tuning: tuning, isOverAnswer: true) == [Self.start(0)])
    }

    @Test("Sound that a neural judge doubts ends an utterance which the same number of energy would keep open")
    func release() throws {
        let timeline = Self.voiced(400) + String(repeating: "~", count: 40)
        #expect(try Self.run(timeline, tuning: .neural) == [Self.start(0), Self.stop(800, 296)])
        #expect(try Self.run(timeline) == [Self.start(0)])
    }
}
