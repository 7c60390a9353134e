import GlassesCore
import GlassesDomain

/// At which step a connection failed that had reached the gateway's port, and what to do about it.
struct UpgradeDiagnosis: Sendable, Hashable {
    /// The steps of opening.
    enum Step: String, Sendable {
        case proxy
        case tls = "TLS"
        case upgrade
    }

    /// The step.
    let step: Step
    /// What is wrong, with the next step.
    let sentence: String

    /// What `closure` tells; nil when something else than the connection failed, for example the token.
    init(_ closure: ConnectionClosure?, hasToken: Bool) {
        guard let closure else {
            (step, sentence) = (.upgrade, "The connection was not tried to its end. Run this again.")
            return
        }
        switch closure.code {
        case "certificate_refused", "tls_failed", "ca_file_unusable": step = .tls
        case "proxy_failed": step = .proxy
        default: step = .upgrade
        }
        let hint = step == .upgrade ? Self.hint(closure, hasToken: hasToken) : nil
        sentence = [closure.message, hint].compactMap { $0 }.joined(separator: " ")
    }

    /// What a closure's own sentence cannot know.
    private static func hint(_ closure: ConnectionClosure, hasToken: Bool) -> String? {
        switch closure.httpStatus {
        case 401 where !hasToken: "None was sent: give one with --token-file or EXTENTOS_GATEWAY_TOKEN."
        case 404: "The path of the URL usually ends in /v1; the model is named with --model."
        case 429: closure.retryAfter.map { "It asks to wait \(Int(min(max($0, 0).rounded(.up), 1e9))) s." }
        default: nil
        }
    }
}
