import SeededRandom
import Foundation
import GlassesDomain
import GlassesTesting
import Testing

@_spi(ExtentosTools) @testable import GlassesCore

/// A gateway that is killed in the middle of everything and started again on its port.
@Suite(.serialized) struct LostGatewayTests {
    private static let rounds = 20
    private static let queued = 300

    /// A test run has time for a short conversation and a few kills; Scripts/kill-trial asks for more.
    private struct Trial {
        var script = "conversation.txt"
        var kills = LostGatewayTests.rounds
        var seed: UInt64 = 20_261_130
        /// Conversations at once, each with a gateway of its own: most of each is waiting.
        var lanes = 2

        init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
            guard let asked = environment["EXTENTOS_KILLS"].flatMap(Int.init), asked > 0 else { return }
            (script, kills, lanes) = ("ten-turns.txt", asked, 4)
            seed = environment["EXTENTOS_KILL_SEED"].flatMap(UInt64.init) ?? seed
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func aGatewayKilledWithAnAnswerQueuedIsFoundAgainAndEveryTurnIsKept() async throws {
        let gateway = try GatewayProcess()
        let url = try await gateway.start()
        let received = ReceivedAudio()
        let tools = ConversationTools()
        let live = try await LiveSession(received.observe(Extentos.connector(to: GatewayEndpoint(url: url)))) {
            $0.historyCap = 1_000
            tools.add(to: $0)
        }
        let script = try ConversationScript(resource: "conversation.txt")
        let turn = script.steps[0]
        guard case .typed(let text) = turn.line else {
            Issue.record("the first turn is typed")
            return
        }
        var queued: [Int] = []
        for round in 1...Self.rounds {
            let (before, heard) = (received.milliseconds, live.heardMilliseconds)
            try await live.session.sendText(text)
            let ahead = { received.milliseconds - before - (live.heardMilliseconds - heard) }
            #expect(await LiveSession.until(.seconds(20)) { ahead() >= Self.queued }, "round \(round) has no answer")
            queued.append(ahead())
            gateway.kill()
            try await gateway.start()
            let expected = Array(repeating: turn.entries, count: round).flatMap { $0 }
            let isWhole = try await LiveSession.until(.seconds(150)) {
                try live.session.state.current == .active && live.history == expected && !live.isAudible
            }
            try #require(
                isWhole,
                "round \(round): \(live.states.suffix(4)) \(live.session.conversationHistory(limit: 1_000).suffix(6))")
        }
        print("queued at the kills, in ms: \(queued)")
        #expect(live.losses == Self.rounds)
        #expect(tools.bodiesRun == Array(repeating: "get_time", count: Self.rounds))
        #expect(live.events.count { if case .reconnected = $0 { true } else { false } } == Self.rounds)
        await live.end()
    }

    @Test(.timeLimit(.minutes(30)))
    func aGatewayKilledAtAnyMomentOfAConversationLeavesTheSameHistoryAndRunsNoToolTwice() async throws {
        let speech = Speech()
        let trial = Trial()
        let script = try ConversationScript(resource: trial.script)
        let gateway = try GatewayProcess()
        let undisturbed = try await hold(script, try await gateway.start(), speech, { _ in })
        gateway.kill()
        var random = SeededGenerator(seed: trial.seed)
        let moments = (0..<trial.kills).map { _ in
            Duration.milliseconds(Int64.random(in: 0..<undisturbed.wholeMilliseconds, using: &random))
        }
        try await withThrowingTaskGroup(of: Void.self) { lanes in
            for lane in 0..<trial.lanes {
                lanes.addTask {
                    let gateway = try GatewayProcess()
                    let url = try await gateway.start()
                    for round in stride(from: lane, to: trial.kills, by: trial.lanes) {
                        print("round \(round + 1): killed after \(moments[round]) of \(undisturbed)")
                        try await holdThroughKill(after: moments[round], of: gateway, url, script, speech)
                    }
                }
            }
            try await lanes.waitForAll()
        }
        await speech.shutdown()
    }

    private func holdThroughKill(
        after moment: Duration, of gateway: GatewayProcess, _ url: URL, _ script: ConversationScript, _ speech: Speech
    ) async throws {
        _ = try await hold(script, url, speech) { live in
            do {
                try await Task.sleep(for: moment)
                gateway.kill()
                try await gateway.start()
            } catch { Issue.record("killed after \(moment): \(error)") }
            let isBack = await LiveSession.until(.seconds(150)) {
                live.losses == 1 && live.session.state.current == .active
            }
            #expect(isBack, "killed after \(moment): \(live.states)")
        }
    }

    /// Holds the conversation while `disturb` runs, and answers how long the conversation took.
    private func hold(
        _ script: ConversationScript, _ url: URL, _ speech: Speech,
        _ disturb: @escaping @Sendable (LiveSession) async -> Void
    ) async throws -> Duration {
        let tools = ConversationTools()
        let live = try await LiveSession(Extentos.connector(to: GatewayEndpoint(url: url))) { tools.add(to: $0) }
        let start = ContinuousClock.now
        async let disturbance: Void = disturb(live)
        try await Conversation(script: script, live: live, speech: speech).hold()
        let duration = start.duration(to: .now)
        await disturbance
        #expect(try live.history == script.history(after: script.steps.count))
        #expect(tools.bodiesRun == script.calls)
        await live.end()
        return duration
    }
}

extension LiveSession {
    /// How much has left the loudspeaker.
    var heardMilliseconds: Int { device.simulatedSpeaker.heard.count / (device.simulatedSpeaker.sampleRate / 1_000) }

    /// How often the connection was lost and came back.
    var losses: Int {
        zip(states, states.dropFirst()).count { $0 == (.reconnecting, .active) }
    }
}
