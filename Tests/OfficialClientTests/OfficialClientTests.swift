import Foundation
import GlassesDomain
import Testing

/// The unmodified Python packages `openai` and `openai-agents` hold conversations that nobody wrote down with `glasses gateway`, and
/// show it a picture.
///
/// The seed is printed; `EXTENTOS_SEED` sets it.
@Suite(.serialized) struct OfficialClientTests {
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["EXTENTOS_SEED"].flatMap(UInt64.init).map { [$0] } ?? [1, 20_261_130]

    @Test(
        "An official client calls the right tools in text and in voice, and cuts an answer where it was heard",
        .timeLimit(.minutes(6)), arguments: ["openai_client", "agents_client"], seeds)
    func conversation(_ script: String, _ seed: UInt64) async throws {
        try await Self.withFolder { folder in
            let gateway = try await GatewayProcess(key: "key-\(seed)", in: folder)
            try await Self.converse(script, seed, with: gateway, in: folder)
            #expect(gateway.stop() == 0)
        }
    }

    @Test(
        "The same conversation through a relay is the same",
        .timeLimit(.minutes(6)), arguments: ["openai_client", "agents_client"], seeds.prefix(1))
    func relayedConversation(_ script: String, _ seed: UInt64) async throws {
        try await Self.withFolder { folder in
            let upstream = try await GatewayProcess(key: "operators-key", in: folder)
            let relay = try await GatewayProcess.relay(
                of: ConversationPlan(seed: seed).model, to: upstream, upstreamKey: "operators-key", key: "key-\(seed)",
                in: folder)
            try await Self.converse(script, seed, with: relay, in: folder)
            #expect(relay.stop() == 0)
            #expect(upstream.stop() == 0)
        }
    }

    @Test(
        "The openai client reads the picture item back from our gateway byte for byte, also through a relay",
        .timeLimit(.minutes(3)), arguments: [(200_000, false), (4_000_000, true)])
    func picture(_ bytes: Int, isRelayed: Bool) async throws {
        try await Self.withFolder { folder in
            let served = try await GatewayProcess(key: "key", in: folder)
            let relay =
                isRelayed
                ? try await GatewayProcess.relay(of: "eyes", to: served, upstreamKey: "key", key: "key-2", in: folder)
                : nil
            let report = try await PythonClient.run(
                "picture_client",
                plan: [
                    "base": .string((relay ?? served).base), "key": .string(isRelayed ? "key-2" : "key"),
                    "model": "eyes", "seed": 6, "bytes": .int(Int64(bytes)),
                ], in: folder)
            #expect(report.failure == nil)
            #expect(report.exitCode == 0)
            #expect(report.facts["bytes"]?.intValue == Int64(bytes + 6))
            // It has no model that sees, and noise is no picture: it says so and invents nothing.
            let answer = report.facts["answer"]?.stringValue ?? ""
            #expect(answer.contains("damaged") || answer.contains("can't recognise"), "\(answer)")
            #expect(relay?.stop() ?? 0 == 0)
            #expect(served.stop() == 0)
        }
    }

    @Test(
        "The openai client chats, calls tools, streams and remembers, also through a relay",
        .timeLimit(.minutes(3)), arguments: [false, true])
    func chat(isRelayed: Bool) async throws {
        try await Self.withFolder { folder in
            let remembering = ["--memory", folder.appending(path: "memory").path]
            let served = try await GatewayProcess(key: "key", in: folder, arguments: isRelayed ? [] : remembering)
            let relay =
                isRelayed
                ? try await GatewayProcess.chatRelay(
                    of: "small", to: served, upstreamKey: "key", key: "key-2", in: folder, arguments: remembering) : nil
            let plan = ConversationPlan(seed: 7)
            let skill = try #require(plan.skills.first)
            let report = try await PythonClient.run(
                "chat_client",
                plan: [
                    "base": .string((relay ?? served).base), "key": .string(isRelayed ? "key-2" : "key"),
                    "model": isRelayed ? "small" : "gpt-4o-mini", "say": .string(skill.say), "result": "All done.",
                    "tools": .array(plan.skills.map(\.chatDefinition)), "user": "ann", "fact": "Likes tea.",
                    "unknown": .bool(isRelayed),
                ], in: folder)
            #expect(report.failure == nil)
            #expect(report.exitCode == 0)
            #expect(report.calls.map { $0["turn"] } == ["whole", "streamed"])
            #expect(
                report.calls.allSatisfy { $0["name"]?.stringValue == skill.name && $0["arguments"] == skill.arguments })
            #expect(report.answers["whole"] == "All done.")
            #expect(report.facts["refusal"] == (isRelayed ? .null : "n"))
            #expect(report.facts["memory"] == "Likes tea.")
            #expect(report.facts["unknown"] == (isRelayed ? "model_not_found" : nil))
            #expect(relay?.stop() ?? 0 == 0)
            #expect(served.stop() == 0)
        }
    }

    private static func converse(
        _ script: String, _ seed: UInt64, with gateway: GatewayProcess, in folder: URL
    ) async throws {
        let plan = ConversationPlan(seed: seed)
        let report = try await PythonClient.run(
            script,
            plan: plan.json(
                base: gateway.base, socket: gateway.socket, key: "key-\(seed)",
                voiceFile: try await SpokenFile.make(plan.voice.say, in: folder),
                interruptionFile: try await SpokenFile.make(plan.interruption, in: folder)), in: folder)
        #expect(report.failure == nil)
        #expect(report.exitCode == 0)
        checkCalls(of: report, against: plan)
        checkAnswers(of: report, against: plan)
        if script == "openai_client" { try checkPartialWords(of: report) }
        try checkInterruption(of: report, against: plan)
        print("\(script), seed \(seed): \(report.facts.jsonText) \(JSONValue.object(report.validated).jsonText)")
    }

    /// Each tool once, in the right turn, with the right arguments, and `others` calls besides, of the story.
    static func checkCalls(of report: PythonClient.Report, against plan: ConversationPlan, besides others: Int = 1) {
        for turn in plan.turns + [plan.voice] {
            let calls = report.calls.filter { $0["turn"]?.stringValue == turn.name }.compactMap { call in
                call["name"]?.stringValue.map { ConversationPlan.Call(tool: $0, arguments: call["arguments"] ?? .null) }
            }
            #expect(calls == turn.calls, "\(turn.name): \(turn.say)")
        }
        #expect(report.calls.count == plan.turns.reduce(plan.voice.calls.count + others) { $0 + $1.calls.count })
    }

    /// What the tools answered was said.
    static func checkAnswers(of report: PythonClient.Report, against plan: ConversationPlan) {
        for turn in plan.turns + [plan.voice] {
            let answer = report.answers[turn.name]?.stringValue ?? ""
            for call in turn.calls {
                let result = plan.results[call.tool] ?? ""
                #expect(answer.contains(result), "\(turn.name) answers \(result), not \(answer)")
            }
        }
        let heard = words(report.facts["voice.transcript"]?.stringValue ?? "")
        #expect(wrongWords(heard, words(plan.voice.say)) <= 1, "\(plan.voice.say) was heard as \(heard)")
    }

    /// The words that came while the voice spoke are the beginning of its text; the last one may have been heard anew.
    private static func checkPartialWords(of report: PythonClient.Report) throws {
        let deltas = try #require(report.facts["voice.deltas"]?.arrayValue).compactMap(\.stringValue)
        let partial = words(deltas.joined())
        let whole = words(report.facts["voice.transcript"]?.stringValue ?? "")
        #expect(!partial.isEmpty && partial.count <= whole.count, "\(deltas)")
        #expect(wrongWords(partial, Array(whole.prefix(partial.count))) <= 1, "\(partial) of \(whole)")
    }

    /// What is left of the cut answer is what was heard of it.
    private static func checkInterruption(of report: PythonClient.Report, against plan: ConversationPlan) throws {
        let heard = try #require(report.facts["story.heardMs"]?.doubleValue)
        let left = try #require(report.facts["story.leftMs"]?.doubleValue)
        #expect(abs(heard - left) <= 25, "\(heard) ms were heard, \(left) ms are left")
        let transcript = try #require(report.facts["story.transcript"]?.stringValue)
        #expect(plan.storyResult.hasPrefix(transcript.trimmingCharacters(in: .whitespaces)))
        #expect(transcript.count < plan.storyResult.count)
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }

    /// The least number of words to replace, add or leave out (Levenshtein).
    private static func wrongWords(_ heard: [String], _ said: [String]) -> Int {
        var row = Array(0...said.count)
        for (i, word) in heard.enumerated() {
            var next = [i + 1]
            for (j, other) in said.enumerated() {
                next.append(min(row[j] + (word == other ? 0 : 1), row[j + 1] + 1, next[j] + 1))
            }
            row = next
        }
        return row[said.count]
    }

    static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "official-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
