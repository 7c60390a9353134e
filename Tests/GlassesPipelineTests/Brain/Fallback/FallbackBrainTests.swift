import GlassesDomain
import GlassesRealtime
import Synchronization
import Testing

@testable import GlassesPipeline

@Suite("A brain with another one behind it")
struct FallbackBrainTests {
    /// A first brain that does what it is told, one request after the other; then it answers.
    private final class Script: Sendable {
        enum Step: Sendable {
            case answer
            case fail(BrainError)
            case speakThenFail(BrainError)
        }
        let steps: Mutex<[Step]>
        let asked = Mutex(0)
        init(_ steps: [Step]) { self.steps = Mutex(steps) }
    }

    private struct ScriptedBrain: PipelineBrain, PipelineBrainSession {
        let script: Script
        let name = "chat"
        let canCompose = true
        let acceptsImages = true
        func makeSession() -> any PipelineBrainSession { self }
        func reply(to request: BrainRequest) async throws(BrainError) -> BrainReply {
            try await reply(to: request) { _ in }
        }
        func reply(
            to request: BrainRequest, speak: @escaping @Sendable (BrainPiece) -> Void
        ) async throws(BrainError) -> BrainReply {
            script.asked.withLock { $0 += 1 }
            switch script.steps.withLock({ $0.isEmpty ? .answer : $0.removeFirst() }) {
            case .answer: return BrainReply(speech: "From the model.")
            case .fail(let error): throw error
            case .speakThenFail(let error):
                speak(BrainPiece(speech: "Half."))
                throw error
            }
        }
    }

    private final class Rig: Sendable {
        let script: Script
        let clock = ManualClock()
        let notices = Mutex<[PipelineNotice]>([])
        init(_ steps: Script.Step...) { script = Script(steps) }
        var asked: Int { script.asked.withLock { $0 } }
        var told: [PipelineNotice] { notices.withLock { $0 } }

        func brain() -> FallbackBrain {
            FallbackBrain(first: ScriptedBrain(script: script), second: RulesPipelineBrain(), clock: clock.port) {
                notice in
                self.notices.withLock { $0.append(notice) }
            }
        }
    }

    private static let down = BrainError(code: "connection_refused", message: "Nobody answers.")

    private static func hello(_ session: any PipelineBrainSession) async throws -> BrainReply {
        try await session.reply(to: BrainRequest(occasion: .turn, context: [.user("hello")], pending: [.user("hello")]))
        { _ in }
    }

    @Test(
        "an answer that fails before its first word comes from the rules by name, and the outage is told once with its reason"
    )
    func falling() async throws {
        let rig = Rig(.fail(Self.down), .fail(Self.down))
        let session = rig.brain().makeSession()
        let reply = try await Self.hello(session)
        #expect(reply.source == BrainSource(name: "rules", model: "rules", isFallback: true))
        #expect(reply.speech?.isEmpty == false)
        #expect(rig.told == [.brainReplaced(by: "rules", instead: "chat", reason: Self.down)])
        _ = try await Self.hello(session)
        #expect(rig.asked == 1, "it rests")
        rig.clock.advance(by: .seconds(2))
        _ = try await Self.hello(session)
        #expect(rig.asked == 2 && rig.told.count == 1)
        rig.clock.advance(by: .seconds(3))
        _ = try await Self.hello(session)
        #expect(rig.asked == 2, "the rest has doubled")
        rig.clock.advance(by: .seconds(1))
        #expect(try await Self.hello(session).speech == "From the model.")
        #expect(rig.told.last == .brainReplaced(by: "chat", instead: "rules", reason: nil))
        #expect(rig.told.count == 2)
    }

    @Test("an answer that breaks off behind its first word is not made anew, and the next turn is the rules'")
    func half() async throws {
        let rig = Rig(.speakThenFail(Self.down))
        let session = rig.brain().makeSession()
        await #expect(throws: Self.down) { _ = try await Self.hello(session) }
        #expect(rig.told.isEmpty, "nobody has stood in yet")
        #expect(try await Self.hello(session).source?.name == "rules")
        #expect(rig.told == [.brainReplaced(by: "rules", instead: "chat", reason: Self.down)])
    }

    @Test("all sessions share an outage, and a wish to be left alone is heeded")
    func shared() async throws {
        var busy = BrainError(code: "http_429", message: "Busy.")
        busy.retryAfter = .seconds(100)
        let rig = Rig(.fail(busy))
        let brain = rig.brain()
        _ = try await Self.hello(brain.makeSession())
        _ = try await Self.hello(brain.makeSession())
        rig.clock.advance(by: .seconds(99))
        _ = try await Self.hello(brain.makeSession())
        #expect(rig.asked == 1 && rig.told.count == 1)
        rig.clock.advance(by: .seconds(1))
        #expect(try await Self.hello(brain.makeSession()).source == nil)
    }

    @Test("a question of the rules is forgotten once the model has answered again")
    func question() async throws {
        let rig = Rig(.fail(Self.down))
        let session = rig.brain().makeSession()
        let tool = FunctionTool(
            name: "set_timer", description: "Set a timer.",
            parameters: [
                "type": "object", "properties": ["minutes": ["type": "integer", "description": "Length in minutes"]],
                "required": ["minutes"],
            ])
        func ask(_ text: String) async throws -> BrainReply {
            try await session.reply(
                to: BrainRequest(occasion: .turn, context: [.user(text)], pending: [.user(text)], tools: [tool])
            ) { _ in }
        }
        #expect(try await ask("set a timer").speech?.hasSuffix("?") == true)
        rig.clock.advance(by: .seconds(2))
        #expect(try await ask("five minutes").speech == "From the model.")
        rig.script.steps.withLock { $0 = [.fail(Self.down)] }
        #expect(try await ask("five minutes").calls.isEmpty)
    }
}
