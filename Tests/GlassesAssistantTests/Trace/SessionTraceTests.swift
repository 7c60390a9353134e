import GlassesAssistant
import GlassesDomain
import SessionStorm
import Testing

/// Reading trace files, whole and broken.
@Suite struct SessionTraceTests {
    private static func lines() throws -> [String] {
        var session = try RecordedSession(SessionConfiguration())
        try session.wake()
        try session.ask(.sendText(text: "hello there"))
        return String(decoding: session.file(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func error(_ text: String) -> TraceError? {
        do throws(TraceError) { _ = try SessionTrace(file: Array(text.utf8)) } catch { return error }
        return nil
    }

    private static func joined(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

    @Test(arguments: ["", "\n", "hello\n", "{}\n", #"{"trace":"other","version":1}"# + "\n", "\u{7F}ELF\n"])
    func aForeignFileIsNoTrace(text: String) {
        #expect(Self.error(text)?.code == "not_a_trace")
        #expect(Self.error(text)?.line == 1)
    }

    @Test func aNewerVersionIsRefused() throws {
        var lines = try Self.lines()
        lines[0] = lines[0].replacing(#""version":1"#, with: #""version":2"#)
        let error = try #require(Self.error(Self.joined(lines)))
        #expect(error.code == "newer_version")
        #expect(error.message.contains("version 2"))
    }

    @Test(
        arguments: [
            "not JSON", #"{"at":1}"#, #"{"in":{"playbackDrained":{}}}"#, #"{"at":1,"in":{"sangASong":{}}}"#,
            #"{"at":1,"in":{"server":{"_0":{"number":1}}}}"#, #"{"at":1,"in":{"connectionOpened":{"_0":"one"}}}"#,
            #"{"at":1,"in":{"playbackDrained":{}},"verdicts":[["guess",true]]}"#, #"{"end":"maybe","steps":3}"#, "",
        ])
    func aDamagedLineIsNamed(line: String) throws {
        var lines = try Self.lines()
        lines[3] = line
        let error = try #require(Self.error(Self.joined(lines)))
        #expect(error.code == "damaged_line")
        #expect(error.line == 4)
        #expect(error.description.hasPrefix("line 4: "))
    }

    @Test func aMissingStepIsNoticedAtTheEnd() throws {
        var lines = try Self.lines()
        lines.remove(at: 2)
        let error = try #require(Self.error(Self.joined(lines)))
        #expect(error.code == "steps_missing")
        #expect(error.line == lines.count)
    }

    @Test func nothingStandsBehindTheEnd() throws {
        var lines = try Self.lines()
        lines.append(lines[1])
        #expect(Self.error(Self.joined(lines))?.line == lines.count)
    }

    /// At every byte: a crash leaves what came before the last line, and that is still worth replaying.
    @Test func aFileThatIsCutOffIsReadUpToThere() throws {
        let whole = Array(Self.joined(try Self.lines()).utf8)
        let head = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
        for length in stride(from: head + 1, to: whole.count, by: 13) {
            let trace = try SessionTrace(file: Array(whole.prefix(length)))
            #expect(trace.end == nil)
            #expect(try TraceReplay.firstDifference(in: trace) == nil)
            let isCut = whole[length - 1] != UInt8(ascii: "\n") && trace.cutOffLine == trace.steps.count + 2
            #expect(isCut || trace.cutOffLine == nil)
        }
    }

    @Test func aConfigurationComesBackExactly() throws {
        var configuration = SessionConfiguration()
        configuration.silenceTimeout = nil
        configuration.deviceReturnLimit = .nanoseconds(33_333_333_333)
        configuration.randomSeed = .max
        configuration.greeting = .speak(text: "Hello \"you\"\n")
        configuration.tools = [
            ToolFacts(name: "a", schema: ["type": "object", "x": [1, 2.5, nil]], timeout: .nanoseconds(1_234_567_891))
        ]
        let session = try RecordedSession(configuration, keepsText: true)
        #expect(try SessionTrace(file: session.file()).configuration == configuration)
    }

    /// Fields that came after a trace was made are as by default.
    @Test func anOlderConfigurationIsRead() throws {
        let header = #"""
            {"trace":"extentos-session","version":1,"configuration":{"historyCap":7,"tools":[{"name":"a","schema":{}}]}}
            """#
        let trace = try SessionTrace(file: Array((header + "\n").utf8))
        var expected = SessionConfiguration()
        expected.historyCap = 7
        expected.tools = [ToolFacts(name: "a", schema: [:])]
        #expect(trace.configuration == expected)
    }

    @Test func inputsComeBackAsTheyWere() throws {
        let worlds = (0..<12).map { StormWorld(seed: $0, isTraced: true) }
        var privacy = TracePrivacy()
        privacy.keepsText = true
        for world in worlds {
            world.run()
            let trace = try SessionTrace(file: world.traceFile(privacy))
            // Of pictures a trace has the size and a hash.
            let isWhole = { (input: SessionInput) in if case .pictureReady = input { false } else { true } }
            #expect(trace.steps.map(\.input).filter(isWhole) == world.trace?.map(\.input).filter(isWhole))
            #expect(trace.steps.map(\.verdicts) == world.trace?.map(\.verdicts))
            #expect(trace.steps.map(\.at) == world.trace?.map(\.at))
        }
    }

    @Test func aDifferenceIsToldWithBothSides() throws {
        var lines = try Self.lines()
        lines[1] = lines[1].replacing("dormant", with: "active")
        let difference = try TraceReplay.firstDifference(in: SessionTrace(file: Array(Self.joined(lines).utf8)))
        #expect(difference?.step == 1)
        #expect(difference?.line == 2)
        #expect(difference?.description == "step 1 (line 2), action 1: recorded enter active; now enter dormant")
    }

    @Test func aLostVerdictIsToldApart() throws {
        var lines = try Self.lines()
        let index = try #require(lines.firstIndex { $0.contains(#"["sleepPhrase","#) })
        lines[index] = lines[index].replacing(#"["sleepPhrase",false],"#, with: "")
        let difference = try TraceReplay.firstDifference(in: SessionTrace(file: Array(Self.joined(lines).utf8)))
        #expect(difference?.kind == .unanswered(.sleepPhrase))
        #expect(difference?.line == index + 1)
    }
}
