import GlassesCore
import GlassesDomain
import GlassesPluginHost

/// A problem as a person reads it: what is wrong, and the command that mends it.
struct Problem: Sendable, Hashable {
    /// The machine-readable code.
    let code: String
    /// One sentence.
    let sentence: String
    /// The command that mends it or says more; nil when there is none.
    let command: String?

    /// The lines for a person.
    var text: String { ([sentence] + (command.map { ["Try: \($0)"] } ?? [])).joined(separator: "\n") }
}

extension Problem {
    /// A device that could not be connected.
    init(_ error: ConnectError) {
        code = error.code
        sentence = error.description
        // A plugin that may not be used fails with the code of its refusal, a device with one that says so.
        if case .transportFailure(let code, _) = error, !code.hasPrefix("device_") {
            command = "glasses plugins list"
        } else {
            command = "glasses devices"
        }
    }

    /// A device that does not record or play.
    init(_ error: AudioError) {
        code = error.code
        sentence = error.description
        command = error.code == "engine_unavailable" ? "Scripts/setup" : "glasses devices"
    }

    /// A camera that takes no picture.
    init(_ error: CaptureError) {
        code = error.code
        sentence = error.description
        let isOfDisk = ["disk_full", "not_writable", "write_failed"].contains(error.code)
        command = isOfDisk ? nil : "glasses devices"
    }

    /// A speech engine that does not work.
    init(_ error: SpeechEngineError) {
        code = error.code
        sentence = error.message
        command = "Scripts/setup"
    }

    /// A command that this machine does not have: a sentence and the way out.
    init(code: String, _ sentence: String, command: String? = nil) {
        self.code = code
        self.sentence = sentence
        self.command = command
    }

    /// No engine of a kind can be used: because the plugin that has one was refused, or because there is none.
    static func missingEngine(_ noun: String, refused: RefusedPlugin? = nil) -> Problem {
        guard let refused else {
            return Problem(
                code: "engine_unavailable", "No \(noun) is installed, or none works.",
                command: "Scripts/setup && swift build -c release")
        }
        return Problem(
            code: refused.refusal.code,
            "No \(noun) can be used: the plugin \(refused.id ?? refused.manifestPath) was refused. "
                + refused.refusal.description, command: "glasses plugins list")
    }
}

extension Console {
    /// Writes a problem to standard error.
    func report(_ problem: Problem) { note("glasses: " + problem.text) }
}

extension Problem {
    /// Why the assistant session refused something.
    init(session error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as AssistantError: self.init(code: error.code, error.description)
        case let error as SpeechEngineError: self.init(error)
        default: self.init(code: "unexpected", String(describing: error))
        }
    }
}

extension Problem {
    /// Why a session could not be started or woken at the gateway of `options`: says which one, and what tells more.
    init(session error: any Error, at options: GatewayClientOptions) {
        let problem = Problem(session: error)
        guard let address = options.address, let error = error as? AssistantError else {
            self = problem
            return
        }
        switch error {
        case .noApiKey, .networkError, .providerError:
            self.init(
                code: problem.code, "The gateway at \(address.displayName) does not serve. \(problem.sentence)",
                command: options.doctorCommand)
        case .alreadyActive, .sessionEnded, .notReady: self = problem
        }
    }
}
