import Foundation
import GlassesDomain
import GlassesTesting
import NetworkLab
import Testing

@_spi(ExtentosTools) @testable import GlassesCore

/// Whole conversations over a wire that a fault befalls at any moment: the sockets are real, and the gateway lives on.
@Suite(.serialized) struct TroubledWireConversationTests {
    /// Gateways that the conversations share, each with one recogniser.
    private static let gateways = 2
    /// Ping and pong take 40 s to find a peer that takes everything and says nothing; a busy machine takes its time besides.
    private static let backLimit = Duration.seconds(150)

    @Test(.timeLimit(.minutes(60)))
    func aFaultOfTheWireAtAnyMomentLeavesTheSameHistoryAndRunsNoToolTwice() async throws {
        let trial = WireTrial(ProcessInfo.processInfo.environment)
        let script = try ConversationScript(resource: trial.script)
        let wires = try (0..<trial.lanes).map { _ in try TroubledWire() }
        defer { for wire in wires { wire.stop() } }
        let gateways = try await Self.gateways(for: wires)
        let speech = Speech()
        let undisturbed = try await undisturbed(script, over: wires[0], speech)
        let outcomes = await withTaskGroup(of: [WireOutcome].self) { lanes in
            for (lane, wire) in wires.enumerated() {
                lanes.addTask {
                    var outcomes: [WireOutcome] = []
                    for index in stride(from: lane, to: trial.rounds.count, by: trial.lanes) {
                        let round = trial.rounds[index]
                        outcomes.append(
                            await hold(script, over: wire, speech, round, length: undisturbed, seed: trial.seed))
                        print(outcomes[outcomes.count - 1].line)
                    }
                    return outcomes
                }
            }
            return await lanes.reduce(into: []) { $0 += $1 }
        }
        print(WireOutcome.table(outcomes))
        for gateway in gateways { gateway.kill() }
        await speech.shutdown()
    }

    /// Gateways behind the wires; who comes over a wire calls its gateway by the wire's address.
    private static func gateways(for wires: [TroubledWire]) async throws -> [GatewayProcess] {
        var gateways: [GatewayProcess] = []
        for number in 0..<min(Self.gateways, wires.count) {
            let gateway = try GatewayProcess()
            let own = stride(from: number, to: wires.count, by: Self.gateways).map { wires[$0] }
            try await gateway.start(own.flatMap { ["--host", "127.0.0.1:\($0.port)"] })
            for wire in own { wire.setTarget(gateway.port) }
            gateways.append(gateway)
        }
        return gateways
    }

    private func undisturbed(
        _ script: ConversationScript, over wire: TroubledWire, _ speech: Speech
    ) async throws -> Duration {
        let tools = ConversationTools()
        let live = try await session(over: wire, tools)
        let start = ContinuousClock.now
        try await Conversation(script: script, live: live, speech: speech).hold()
        let duration = start.duration(to: .now)
        await live.end()
        return duration
    }

    private func session(over wire: TroubledWire, _ tools: ConversationTools) async throws -> LiveSession {
        let url = try #require(URL(string: "ws://127.0.0.1:\(wire.port)/v1"))
        return try await LiveSession(Extentos.connector(to: GatewayEndpoint(url: url))) { tools.add(to: $0) }
    }

    /// Holds a conversation that a fault befalls, and says what came of it; records what is wrong.
    private func hold(
        _ script: ConversationScript, over wire: TroubledWire, _ speech: Speech, _ round: WireTrial.Round,
        length: Duration, seed: UInt64
    ) async -> WireOutcome {
        let moment = length * round.part
        var outcome = WireOutcome(round: round, moment: moment)
        let tools = ConversationTools()
        do {
            let live = try await session(over: wire, tools)
            async let struck = strike(live, wire, round, after: moment)
            do { try await Conversation(script: script, live: live, speech: speech).hold() } catch {
                outcome.problems.append("\(error)")
            }
            outcome.take(await struck)
            await live.comeToRest()
            outcome.problems += try Self.differences(live, tools, script)
            await live.end()
        } catch { outcome.problems.append("\(error)") }
        if !outcome.problems.isEmpty {
            Issue.record("seed \(seed), \(outcome.line)\n\(outcome.problems.joined(separator: "\n"))")
        }
        return outcome
    }

    /// What the fault did to the session.
    struct Effect: Sendable {
        var noticed: Duration?
        var back: Duration?
        var problems: [String] = []
    }

    private func strike(
        _ live: LiveSession, _ wire: TroubledWire, _ round: WireTrial.Round, after moment: Duration
    ) async -> Effect {
        var effect = Effect()
        do { try await Task.sleep(for: moment) } catch { return effect }
        let (before, losses) = (wire.struck, live.losses)
        // A machine that is too busy may have lost the connection by itself at this moment.
        let isHit = await LiveSession.until(Self.backLimit) {
            if wire.struck == before { wire.strike(round.fault, round.way) }
            return wire.struck > before
        }
        guard isHit else { return Effect(problems: ["there was no connection to strike"]) }
        let start = ContinuousClock.now
        guard round.fault.isLoss else { return await outlive(live, losses) }
        if await LiveSession.until(Self.backLimit, { live.state == .reconnecting || live.losses > losses }) {
            effect.noticed = start.duration(to: .now)
        }
        if await LiveSession.until(Self.backLimit, { live.losses > losses && live.state == .active }) {
            effect.back = start.duration(to: .now) - (effect.noticed ?? .zero)
        } else {
            effect.problems.append("the session did not come back: \(live.states)")
        }
        return effect
    }

    /// A link that is slow, but alive, is not to be killed.
    private func outlive(_ live: LiveSession, _ losses: Int) async -> Effect {
        do { try await Task.sleep(for: TroubledWire.stall + .seconds(1)) } catch { return Effect() }
        guard live.losses > losses || live.state == .reconnecting else { return Effect() }
        return Effect(problems: ["a connection that stood still for \(TroubledWire.stall) was given up"])
    }

    private static func differences(
        _ live: LiveSession, _ tools: ConversationTools, _ script: ConversationScript
    ) throws -> [String] {
        var problems: [String] = []
        let (history, expected) = (try live.history, script.history(after: script.steps.count))
        if history != expected {
            problems.append(
                """
                the history:
                  \(live.session.conversationHistory(limit: 1_000).map { "\($0)" }.joined(separator: "\n  "))
                the script:
                  \(expected.map { "\($0)" }.joined(separator: "\n  "))
                """)
        }
        if tools.bodiesRun != script.calls {
            problems.append("the tools that ran: \(tools.bodiesRun); of the script: \(script.calls)")
        }
        return problems
    }
}

extension WireOutcome {
    fileprivate mutating func take(_ effect: TroubledWireConversationTests.Effect) {
        noticed = effect.noticed
        back = effect.back
        problems += effect.problems
    }
}

extension LiveSession {
    /// The state now.
    fileprivate var state: AssistantState { session.state.current }

    /// Waits until nothing was heard or told for a second, half a minute at most.
    fileprivate func comeToRest() async {
        var (events, since) = (events.count, ContinuousClock.now)
        _ = await Self.until(.seconds(30)) {
            if isAudible || self.events.count != events {
                (events, since) = (self.events.count, .now)
            }
            return since.duration(to: .now) >= .seconds(1)
        }
    }
}
