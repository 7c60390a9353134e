@_spi(ExtentosTools) import GlassesCore
import GlassesPipeline

/// Asks the brain that was chosen for a word.
enum BrainCheckup {
    private static let subject = "brain"

    static func run(_ options: BrainOptions) async -> [Finding] {
        let selection: BrainSelection
        do throws(Problem) { selection = try options.selection() } catch { return [Finding(subject, error)] }
        guard let address = selection.address, let brain = selection.chatBrain(clock: .live) else {
            return [Finding(subject: subject, level: .ok, text: "rules, which need no network and write no prose")]
        }
        return [await ask(brain, at: address)]
    }

    private static func ask(_ brain: ChatBrain, at address: BrainAddress) async -> Finding {
        let stopwatch = Stopwatch()
        let question = BrainMessage.user("Say hello.")
        let request = BrainRequest(
            occasion: .turn, instructions: "Answer in one short sentence.", context: [question], pending: [question])
        do throws(BrainError) {
            let reply = try await brain.makeSession().reply(to: request)
            let model = reply.source.map { " as \($0.model.printable)" } ?? ""
            return Finding(
                subject: subject, level: .ok, text: "the chat endpoint \(address.displayName) answers\(model)",
                milliseconds: stopwatch.milliseconds)
        } catch {
            return Finding(
                subject: subject, level: .failed,
                text: "the chat endpoint \(address.displayName) gives no answer, so the rules serve: \(error.message)",
                milliseconds: stopwatch.milliseconds)
        }
    }
}
