import GlassesDomain
import GlassesRealtime
import Testing

@Suite struct SessionApplyingTests {
    @Test func anEmptyUpdateChangesNothing() throws {
        let session = RealtimeSession(id: "s", model: "m")
        #expect(try session.applying(SessionUpdate()).get() == session)
    }

    @Test func onlyPresentFieldsChange() throws {
        var session = RealtimeSession(id: "s", model: "m")
        session.instructions = "Old."
        session.output.voice = "marin"
        let after = try session.applying(
            update(#"{"type":"realtime","audio":{"output":{"speed":1.5}},"tool_choice":"none"}"#)
        ).get()
        var expected = session
        expected.output.speed = 1.5
        expected.toolChoice = .none
        #expect(after == expected)
    }

    @Test func nestedAudioSettingsMerge() throws {
        let first = try RealtimeSession().applying(
            update(#"{"type":"realtime","audio":{"input":{"transcription":{"model":"a"}}}}"#)
        ).get()
        let second = try first.applying(
            update(#"{"type":"realtime","audio":{"input":{"noise_reduction":{"type":"near_field"}}}}"#)
        ).get()
        #expect(second.input.transcription == Transcription(model: "a"))
        #expect(second.input.noiseReduction == NoiseReduction(type: "near_field"))
        #expect(second.input.turnDetection == .serverVAD(ServerVAD()))
    }

    @Test func turnDetectionIsReplacedWholeWithDefaults() throws {
        var session = RealtimeSession()
        session.input.turnDetection = .serverVAD(ServerVAD(threshold: 0.9, silenceDurationMs: 900))
        let text = #"{"type":"realtime","audio":{"input":{"turn_detection":{"type":"server_vad","threshold":0.1}}}}"#
        let after = try session.applying(update(text)).get()
        #expect(after.input.turnDetection == .serverVAD(ServerVAD(threshold: 0.1)))
    }

    @Test func nullTurnsANullableFieldOff() throws {
        var session = RealtimeSession()
        session.input.transcription = Transcription(model: "a")
        session.input.noiseReduction = NoiseReduction(type: "near_field")
        session.tracing = "auto"
        session.prompt = PromptReference(id: "p")
        session.include = ["x"]
        let after = try session.applying(
            update(
                """
                {"type":"realtime","tracing":null,"prompt":null,"include":null,"audio":{"input":{"transcription":null,
                "noise_reduction":null,"turn_detection":null}}}
                """)
        ).get()
        var expected = RealtimeSession()
        expected.input.turnDetection = nil
        #expect(after == expected)
    }

    @Test func turnDetectionOfTypeNoneMeansNull() throws {
        let text = #"{"type":"realtime","audio":{"input":{"turn_detection":{"type":"none"}}}}"#
        #expect(try RealtimeSession().applying(update(text)).get().input.turnDetection == nil)
    }

    @Test func nullOfAFieldThatCannotBeOffChangesNothing() throws {
        var session = RealtimeSession()
        session.instructions = "Stay."
        let text = #"{"type":"realtime","instructions":null,"tools":null,"audio":{"output":{"voice":null}}}"#
        #expect(try session.applying(update(text)).get() == session)
    }

    @Test func emptyInstructionsAndToolsClear() throws {
        var session = RealtimeSession()
        session.instructions = "Old."
        session.tools = [.function(FunctionTool(name: "f"))]
        let after = try session.applying(update(#"{"type":"realtime","instructions":"","tools":[]}"#)).get()
        #expect(after == RealtimeSession())
    }

    @Test func theOpeningUpdatesOfTheOfficialAgentsLibraryAreTakenAndEchoed() throws {
        let first = update(
            """
            {"type":"realtime","model":"gpt-realtime-2.1","output_modalities":["audio"],"instructions":"Hi.","tools":[
            {"type":"function","name":"f","description":"d","parameters":{"type":"object"}}],"audio":{"input":{
            "format":{"type":"audio/pcm","rate":24000},"transcription":{"model":"gpt-4o-mini-transcribe"},
            "turn_detection":{"type":"semantic_vad","interrupt_response":true}},"output":{"format":{
            "type":"audio/pcm","rate":24000},"voice":"ash"}}}
            """)
        let second = update(#"{"type":"realtime","model":"gpt-realtime-2.1","tracing":"auto"}"#)
        let after = try RealtimeSession(id: "s", model: "local").applying(first).get().applying(second).get()
        #expect(after.model == "local")
        #expect(after.tracing == "auto")
        #expect(after.output.voice == "ash")
        #expect(after.input.transcription?.model == "gpt-4o-mini-transcribe")
        #expect(after.input.turnDetection?.interruptsResponse == true)
        #expect(after.input.turnDetection?.createsResponse == true)
    }

    @Test func unknownFieldsAreKeptAndEchoed() throws {
        let after = try RealtimeSession().applying(update(#"{"type":"realtime","temperature":0.7}"#)).get()
        #expect(after.extra == ["temperature": 0.7])
        let message = try json(RealtimeCodec.encode(.sessionUpdated(after), eventId: "e"))
        #expect(message["session"]?["temperature"] == 0.7)
    }

    struct Refusal: Sendable {
        let session: String
        let param: String

        init(_ session: String, _ param: String) {
            self.session = session
            self.param = param
        }
    }

    static let refusals = [
        Refusal(#"{"type":"transcription"}"#, "session.type"),
        Refusal(#"{"type":"realtime","output_modalities":["audio","text"]}"#, "session.output_modalities"),
        Refusal(#"{"type":"realtime","output_modalities":[]}"#, "session.output_modalities"),
        Refusal(#"{"type":"realtime","output_modalities":["dance"]}"#, "session.output_modalities"),
        Refusal(
            #"{"type":"realtime","audio":{"input":{"format":{"type":"audio/pcm","rate":16000}}}}"#,
            "session.audio.input.format.rate"),
        Refusal(
            #"{"type":"realtime","audio":{"output":{"format":{"type":"audio/opus"}}}}"#,
            "session.audio.output.format.type"),
        Refusal(
            #"{"type":"realtime","audio":{"input":{"noise_reduction":{"type":"mid_field"}}}}"#,
            "session.audio.input.noise_reduction.type"),
        Refusal(
            #"{"type":"realtime","audio":{"input":{"turn_detection":{"type":"psychic_vad"}}}}"#,
            "session.audio.input.turn_detection.type"),
        Refusal(
            #"{"type":"realtime","audio":{"input":{"turn_detection":{"type":"server_vad","threshold":1.1}}}}"#,
            "session.audio.input.turn_detection.threshold"),
        Refusal(
            #"{"type":"realtime","audio":{"input":{"turn_detection":{"type":"server_vad","prefix_padding_ms":-1}}}}"#,
            "session.audio.input.turn_detection.prefix_padding_ms"),
        Refusal(
            #"{"type":"realtime","audio":{"input":{"turn_detection":{"type":"server_vad","silence_duration_ms":-1}}}}"#,
            "session.audio.input.turn_detection.silence_duration_ms"),
        Refusal(
            #"{"type":"realtime","audio":{"input":{"turn_detection":{"type":"server_vad","idle_timeout_ms":0}}}}"#,
            "session.audio.input.turn_detection.idle_timeout_ms"),
        Refusal(
            #"{"type":"realtime","audio":{"input":{"turn_detection":{"type":"semantic_vad","eagerness":"wild"}}}}"#,
            "session.audio.input.turn_detection.eagerness"),
        Refusal(#"{"type":"realtime","audio":{"output":{"speed":0.2}}}"#, "session.audio.output.speed"),
        Refusal(#"{"type":"realtime","audio":{"output":{"speed":1.6}}}"#, "session.audio.output.speed"),
        Refusal(#"{"type":"realtime","tools":[{"type":"function","name":""}]}"#, "session.tools[0].name"),
        Refusal(
            #"{"type":"realtime","tools":[{"type":"function","name":"f"},{"type":"function","name":"f"}]}"#,
            "session.tools[1].name"),
        Refusal(#"{"type":"realtime","tools":[{"type":"web_search"}]}"#, "session.tools[0].type"),
        Refusal(#"{"type":"realtime","tools":[{"type":"mcp","server_label":"s"}]}"#, "session.tools"),
        Refusal(#"{"type":"realtime","tool_choice":"sometimes"}"#, "session.tool_choice"),
        Refusal(#"{"type":"realtime","max_output_tokens":0}"#, "session.max_output_tokens"),
        Refusal(#"{"type":"realtime","max_output_tokens":4097}"#, "session.max_output_tokens"),
        Refusal(
            #"{"type":"realtime","truncation":{"type":"retention_ratio","retention_ratio":1.2}}"#,
            "session.truncation.retention_ratio"),
        Refusal(#"{"type":"realtime","truncation":"never"}"#, "session.truncation"),
        Refusal(#"{"type":"realtime","tracing":5}"#, "session.tracing"),
    ]

    @Test(arguments: refusals)
    func aValueThatNoServerAcceptsNamesItsField(_ refusal: Refusal) {
        let result = RealtimeSession().applying(update(refusal.session))
        guard case .failure(let info) = result else {
            Issue.record("accepted")
            return
        }
        #expect(info.code == "invalid_value")
        #expect(info.param == refusal.param)
    }

    @Test func anUpdateWithoutTypeIsMissingARequiredParameter() {
        guard case .failure(let info) = RealtimeSession().applying(update(#"{"instructions":"Hi."}"#)) else {
            Issue.record("accepted")
            return
        }
        #expect(info.code == "missing_required_parameter")
        #expect(info.param == "session.type")
    }

    @Test func theVoiceIsFixedOnceAudioWasProduced() throws {
        var session = RealtimeSession()
        session.output.voice = "marin"
        let rules = SessionRules(voiceIsFixed: true)
        let other = session.applying(update(#"{"type":"realtime","audio":{"output":{"voice":"ash"}}}"#), rules: rules)
        guard case .failure(let info) = other else {
            Issue.record("accepted")
            return
        }
        #expect(info.code == "cannot_update_voice")
        let same = session.applying(update(#"{"type":"realtime","audio":{"output":{"voice":"marin"}}}"#), rules: rules)
        #expect(try same.get() == session)
    }

    @Test func aServerWithMCPTakesItsTools() throws {
        let text = #"{"type":"realtime","tools":[{"type":"mcp","server_label":"s","connector_id":"c"}]}"#
        let after = try RealtimeSession().applying(update(text), rules: SessionRules(allowsMCPTools: true)).get()
        #expect(after.tools.count == 1)
    }

    @Test func aTranscriptionSessionTakesTranscriptionUpdatesOnly() throws {
        let session = RealtimeSession(type: .transcription)
        let text = #"{"type":"transcription","audio":{"input":{"transcription":{"model":"w"}}}}"#
        #expect(try session.applying(update(text)).get().input.transcription?.model == "w")
        #expect(throws: RealtimeErrorInfo.self) { try session.applying(update(#"{"type":"realtime"}"#)).get() }
    }

    /// Every way to write a value of several forms.
    static let forms = [
        #"{"type":"realtime","tool_choice":{"type":"mcp","server_label":"s"}}"#,
        #"{"type":"realtime","tool_choice":{"type":"mcp","server_label":"s","name":"t"}}"#,
        #"{"type":"realtime","tool_choice":"auto","truncation":"disabled","max_output_tokens":1}"#,
        #"{"type":"realtime","truncation":{"type":"retention_ratio","retention_ratio":0.8}}"#,
        #"{"type":"realtime","tracing":{"workflow_name":"w","metadata":{"a":1}}}"#,
        #"{"type":"realtime","audio":{"output":{"voice":"ash"},"input":{"format":{"type":"audio/pcma"}}}}"#,
    ]

    @Test(arguments: forms)
    func everyFormOfAValueIsKept(_ text: String) throws {
        let message = try json(RealtimeCodec.encode(.sessionUpdate(update(text))))
        #expect(try message["session"] == json(text))
        let session = try RealtimeSession().applying(update(text)).get()
        let echoed = try json(RealtimeCodec.encode(.sessionUpdated(session), eventId: "e"))["session"]
        for (key, value) in try json(text).objectValue ?? [:] where key != "audio" { #expect(echoed?[key] == value) }
    }

    @Test func theChatFormOfAToolChoiceIsUnderstood() {
        let update = update(#"{"type":"realtime","tool_choice":{"type":"function","function":{"name":"f"}}}"#)
        #expect(update.toolChoice == .function(name: "f"))
    }

    /// The update in a `session.update`; a message that cannot be decoded fails the test and gives an empty one.
    private func update(_ session: String) -> SessionUpdate {
        do {
            let message = Array(#"{"type":"session.update","session":\#(session)}"#.utf8)
            if case .sessionUpdate(let update) = try RealtimeCodec.decodeClientEvent(message).event { return update }
        } catch {
            Issue.record(error)
        }
        return SessionUpdate()
    }
}
