import Foundation
@_spi(ExtentosTools) import GlassesCore

/// Which brain answers: the options that several commands share.
struct BrainOptions: Sendable, Hashable {
    static let brain = OptionSpec(
        "--brain", .text("rules|URL"),
        help: "Let the chat endpoint at URL (OpenAI's API) decide the answers, such as http://127.0.0.1:8080/v1 or "
            + "unix:/run/llama.sock; 'rules' is this program. Without it EXTENTOS_BRAIN_URL counts. Its key is EXTENTOS_BRAIN_KEY."
    )
    static let model = OptionSpec(
        "--brain-model", .text("NAME"), help: "Ask the chat endpoint for the model NAME, or set EXTENTOS_BRAIN_MODEL.")

    static let table = [brain, model]

    /// The word that stands for the rules in this process.
    private static let rulesWord = "rules"

    /// The brain as the runtime takes it; `.rules` where ``problem`` tells why there is no other.
    let choice: BrainChoice
    /// What is wrong with the endpoint that was named; nil when nothing is.
    let problem: BrainAddressError?
    /// Whether the call names a brain, so that the environment does not count.
    let isExplicit: Bool

    /// The options of a call; `environment` fills in what was not given.
    init(
        _ arguments: ParsedArguments, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(UsageError) {
        for option in Self.table where arguments.text(option.name) == "" {
            throw arguments.error("\(option.name) needs a value")
        }
        let variable = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let (named, model) = (arguments.text(Self.brain.name), arguments.text(Self.model.name))
        isExplicit = named != nil
        let text = named ?? variable("EXTENTOS_BRAIN_URL")
        guard let text, text != Self.rulesWord else {
            if model != nil { throw arguments.error("\(Self.model.name) needs a chat endpoint: give --brain URL") }
            (choice, problem) = (.rules, nil)
            return
        }
        do throws(BrainAddressError) {
            guard let url = URL(string: text) else { throw .unreadable }
            let key = variable("EXTENTOS_BRAIN_KEY")
            _ = try BrainAddress(url, key: key)
            (choice, problem) = (
                .chat(
                    url: url, model: model ?? variable("EXTENTOS_BRAIN_MODEL"), key: key,
                    authorities: variable("EXTENTOS_BRAIN_CA")), nil
            )
        } catch {
            if named != nil { throw arguments.error(String(error.message.dropLast())) }
            (choice, problem) = (.rules, error)
        }
    }

    /// What serves. Throws when the environment names an endpoint that cannot be used.
    func selection() throws(Problem) -> BrainSelection {
        if let problem {
            throw Problem(code: problem.code, "EXTENTOS_BRAIN_URL: \(problem.message)")
        }
        return BrainSelection(choice, environment: [:])
    }
}
