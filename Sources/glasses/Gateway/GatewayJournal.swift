import GlassesCore
import GlassesGateway

/// Tells what a gateway does, as lines for a person or for a script. It holds no key and nothing that was said.
struct GatewayJournal: Sendable {
    let console: Console
    let isJSON: Bool
    private let watch = Stopwatch()

    init(console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    /// The first line, whose form scripts rely on.
    func listening(_ url: String) {
        console.print(
            isJSON
                ? "{\"event\":\"listening\",\"url\":\(JSONValue.string(url).jsonText)}" : "Listening on \(url)")
    }

    func ready(_ facts: GatewayFacts) {
        let missing = "none"
        let access =
            facts.tokens.map { "Clients need one of \($0) tokens." }
            ?? "No token is asked for: every program on this machine can use this gateway."
        write(
            "ready",
            [
                "models": .array(facts.models.map(JSONValue.string)),
                "audioDestination": .string(facts.audioDestination),
                "recogniser": facts.recogniser.map(JSONValue.string) ?? .null,
                "voice": facts.voice.map(JSONValue.string) ?? .null, "voiceActivity": .string(facts.voiceActivity),
                "brain": .string(facts.brain),
                "authentication": facts.tokens == nil ? "none" : "token", "encrypted": .bool(facts.isEncrypted),
            ],
            "Models: \(facts.models.joined(separator: ", "))\nRecogniser: \(facts.recogniser ?? missing), voice: "
                + "\(facts.voice ?? missing), brain: \(facts.brain)\n\(facts.audioDestination)\n\(access)")
    }

    func draining() { write("draining", [:], "Ending: new sessions are refused.") }

    func stopped() { write("stopped", [:], "Ended.") }

    /// Writes an event of the gateway.
    func write(_ event: GatewayEvent) {
        switch event {
        case .sessionStarted(let session):
            let place = session.upstream.map { " at \($0)" } ?? ""
            let audio = session.isOpus ? ", Opus" : ""
            write("sessionStarted", fields(session), "Session \(session.number): \(session.model)\(place)\(audio)")
        case .sessionEnded(let session, let summary):
            var all = fields(session)
            all["seconds"] = .double((summary.seconds * 1_000).rounded() / 1_000)
            all["received"] = .int(Int64(summary.received))
            all["sent"] = .int(Int64(summary.sent))
            if session.isOpus { all["droppedFrames"] = .int(Int64(summary.droppedFrames)) }
            all["closeCode"] = .int(Int64(summary.closeCode))
            write(
                "sessionEnded", all,
                "Session \(session.number) ended after \(Int(summary.seconds)) s: \(summary.received) messages in, "
                    + "\(summary.sent) out, "
                    + (summary.droppedFrames > 0 ? "\(summary.droppedFrames) binary frames dropped, " : "")
                    + "close code \(summary.closeCode)")
        case .upstreamRefused(let model, let host, let closure):
            write(
                "upstreamRefused",
                [
                    "model": .string(model), "upstream": .string(host), "code": .string(closure.code),
                    "status": closure.httpStatus.map { .int(Int64($0)) } ?? .null,
                ],
                "\(host) did not serve a request for \(model): "
                    + (closure.httpStatus.map { "status \($0)" } ?? closure.code))
        }
    }

    private func fields(_ session: GatewaySession) -> [String: JSONValue] {
        [
            "session": .int(Int64(session.number)), "model": .string(session.model),
            "upstream": session.upstream.map(JSONValue.string) ?? .null,
            "token": session.token.map { .int(Int64($0)) } ?? .null,
            "audio": session.isOpus ? "opus" : "pcm",
        ]
    }

    private func write(_ event: String, _ fields: [String: JSONValue], _ text: String) {
        console.print(isJSON ? JSONLine(seconds: watch.seconds, event: event, fields: fields).text : text)
    }
}
