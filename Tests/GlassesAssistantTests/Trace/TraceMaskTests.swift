import GlassesAssistant
import GlassesDomain
import Testing

/// What was said leaves no letter in a trace, and the session lives through it all the same.
@Suite struct TraceMaskTests {
    /// Words that are nowhere in this program.
    private static let words = ["zebra", "quokka", "okapi", "wombat", "numbat", "dugong", "gecko", "axolotl"]

    private static var configuration: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.greeting = .compose(directive: "Say zebra.")
        configuration.sleepPhrases = ["quokka now"]
        configuration.cancelPhrases = ["never mind the okapi"]
        configuration.historyCap = 20
        configuration.compaction = .summarise
        configuration.remembers = true
        configuration.tools = [
            ToolFacts(
                name: "send_mail",
                schema: [
                    "type": "object", "required": ["to"],
                    "properties": [
                        "to": ["type": "string", "description": "A wombat", "enum": ["numbat", "dugong", "gecko"]],
                        "urgent": ["type": "boolean"],
                    ],
                ],
                policy: ToolPolicy(isCancellable: true, needsConfirmation: true)),
            ToolFacts(name: "cancel_tool", schema: ["type": "object"], role: .cancelsCalls),
        ]
        return configuration
    }

    /// Everything that can hold a text, with one of the words in it.
    private static func session(keepsText: Bool) throws -> RecordedSession {
        var session = try RecordedSession(configuration, keepsText: keepsText)
        try session.tell(.memoryLoaded("The user likes a zebra."))
        try session.wake()
        try session.tell(.memoryLoaded("The user likes an okapi."))
        try session.ask(.say(text: "A wombat!"))
        try session.ask(.greet(directive: "As an axolotl."))
        try session.ask(.sendText(text: "What is a quokka?"))
        try session.ask(.includePicture(prompt: "Is that a numbat?"))
        try session.tell(.pictureReady(OperationID(6), SessionPicture(url: "data:image/jpeg;base64,zebra+okapi")))
        try session.tell(.turnAppended(.userText(text: "dugong", timestampMs: 1)))
        try session.tell(
            .turnAppended(
                .toolInvocation(name: "gecko", callId: "c", argsJson: #"{"axolotl":"zebra"}"#, timestampMs: 1)))
        try session.tell(.turnAppended(.toolReturn(callId: "c", output: "quokka", timestampMs: 1)))
        try session.call("send_mail", #"{"to":"numbat","axolotl":17}"#, id: "1", after: "Send it to the zebra")
        try session.answer("2", ["Shall I mail the ", "wombat", "?"])
        try session.call("send_mail", #"{"to":"dugong","axolotl":17}"#, id: "3", after: "No, the dugong")
        try session.answer("4", ["So the dugong?"])
        try session.call("send_mail", #"{"to":"dugong","axolotl":17}"#, id: "5", after: "Yes, the dugong")
        try session.tell(.toolProgressed(callID: "call5", note: "asking the okapi", isAloud: true))
        try session.tell(.toolReturned(callID: "call5", output: "The gecko has it.", isError: false))
        try session.call("zebra_tool", #"{"okapi": "wombat"#, id: "6", after: "Some \"quokka\"")
        try session.call("send_mail", #"{"to":"zebra"}"#, id: "7", after: "okapi")
        try session.report(.errorReported(code: "the zebra did it", message: "The gecko is too big", eventID: nil))
        try session.report(.answerCreated(responseID: "r8", metadata: ["zebra": "okapi"], isOutOfBand: false))
        try session.report(.answerDone(responseID: "r8", status: .failed(code: nil, message: "No wombat here")))
        try session.tell(.hookEnded(.onWake, errorMessage: "The numbat is missing"))
        try session.tell(.microphoneFailed(code: "busy", message: "An axolotl has it"))
        try session.tell(.historyReplaced([.assistantText(text: "a dugong", timestampMs: 3)]))
        try session.tell(
            .turnAppended(
                .assistantText(text: "[Summary of the earlier conversation] of an okapi", timestampMs: 3)))
        let closure = ConnectionClosure(code: "closed", message: "A zebra crossed the line", closeCode: 1006)
        try session.tell(.connectionClosed(ConnectionID(1), closure))
        try session.ask(.sendText(text: "quokka, now!"))
        try session.ask(.stop)
        return session
    }

    @Test func noWordIsInTheFile() throws {
        let text = String(decoding: try Self.session(keepsText: false).file(), as: UTF8.self).lowercased()
        for word in Self.words { #expect(!text.contains(word), "\(word)") }
        // What is kept makes the trace worth reading.
        for name in ["send_mail", "cancel_tool", "\"to\"", "call5", "microphone"] { #expect(text.contains(name)) }
        let whole = String(decoding: try Self.session(keepsText: true).file(), as: UTF8.self).lowercased()
        for word in Self.words { #expect(whole.contains(word), "\(word)") }
    }

    @Test(arguments: [false, true]) func theSessionIsLivedThroughAgain(keepsText: Bool) throws {
        let file = try Self.session(keepsText: keepsText).file()
        let trace = try SessionTrace(file: file)
        #expect(try TraceReplay.firstDifference(in: trace)?.description == nil)
        #expect(try TraceReplay.rewritten(trace) == String(decoding: file, as: UTF8.self))
    }

    /// What hangs on the letters happened in the session above: otherwise its replay would prove little.
    @Test func theSessionAgreesAndSleepsByItsWords() throws {
        let session = try Self.session(keepsText: false)
        let runs = session.actions.filter { if case .tool(.run) = $0 { true } else { false } }
        #expect(runs.count == 1)
        #expect(session.actions.contains(.enter(.sleeping)))
        let trace = try SessionTrace(file: session.file())
        let asked = Set(trace.steps.flatMap(\.verdicts).map(\.question))
        let unasked = Set(TextVerdict.Question.allCases).subtracting(asked)
        #expect(unasked == [.callsNamed, .wordsInterrupt])
    }

    @Test func aModelThatCallsOffAToolByNameIsReplayed() throws {
        var configuration = Self.configuration
        configuration.tools[0].policy.needsConfirmation = false
        configuration.tools.append(
            ToolFacts(name: "xxxx", schema: ["type": "object"], policy: ToolPolicy(isCancellable: true)))
        var session = try RecordedSession(configuration)
        try session.wake()
        try session.call("send_mail", #"{"to":"numbat"}"#, id: "1", after: "a")
        try session.call("xxxx", "{}", id: "2", after: "b")
        // Masked, the name is that of the other tool; and a tool that nobody has is not that tool either.
        try session.call("cancel_tool", #"{"name":"send_mail"}"#, id: "3", after: "c")
        try session.call("mail", "{}", id: "4", after: "d")
        #expect(try TraceReplay.firstDifference(in: SessionTrace(file: session.file()))?.description == nil)
    }
}
