import GlassesDomain
import GlassesGateway
import GlassesServer

/// The options of `glasses gateway`.
struct GatewayOptions: Sendable {
    private static let standardAddress = "127.0.0.1:8080"
    static let listen = OptionSpec(
        "--listen", .text("ADDRESS:PORT"),
        help: "Listen there instead of on \(standardAddress); port 0 picks a free one. An IPv6 address stands in [].")
    static let tokenFile = OptionSpec(
        "--token-file", .text("FILE"),
        help: "Let clients in with the tokens of FILE, one a line; only you may be able to read it (chmod 600).")
    static let certificate = OptionSpec(
        "--tls-cert", .text("FILE"), help: "Serve wss with this certificate and its chain (PEM).")
    static let key = OptionSpec("--tls-key", .text("FILE"), help: "The private key of --tls-cert (PEM, chmod 600).")
    static let host = OptionSpec(
        "--host", .text("NAME"), isRepeatable: true,
        help: "Also answer requests for this host name, such as the one of a reverse proxy.")
    static let origin = OptionSpec(
        "--allow-origin", .text("ORIGIN"), isRepeatable: true,
        help: "Let pages of this origin, such as https://app.example.com, use the gateway. None by default.")
    static let upstream = OptionSpec(
        "--upstream", .text("FILE"), help: "Relay the models that FILE lists to their upstreams; see above.")
    static let memory = OptionSpec(
        "--memory", .text("FOLDER"),
        help: "Remember for clients what they know of their users, at /v1/memory, in files of FOLDER (mode 0700).")
    static let sessions = OptionSpec(
        "--max-sessions", .number("N", 1...2_000), help: "Serve at most N sessions at once; 1024 by default.")
    static let sessionsPerToken = OptionSpec(
        "--max-sessions-per-token", .number("N", 1...2_000), help: "Serve at most N of them to one token.")
    static let sessionMinutes = OptionSpec(
        "--session-minutes", .number("N", 1...1_440), help: "End a session after N minutes; 60 by default.")
    static let drain = OptionSpec(
        "--drain", .number("SECONDS", 0...3_600),
        help: "Let running sessions go on for this long after SIGTERM or Ctrl-C; 5 by default.")
    static let json = OptionSpec("--json", help: "Print one JSON object a line.")

    /// The table for the help and the parser.
    static let table =
        [
            listen, tokenFile, certificate, key, host, origin, upstream, memory, sessions, sessionsPerToken,
            sessionMinutes,
            drain,
        ] + EngineOptions.table + BrainOptions.table + [json]

    let address: ListenAddress
    let tokenFile: String?
    let tls: TLSFiles?
    let hosts: [String]
    let origins: [String]
    let upstreamFile: String?
    let memoryFolder: String?
    let maximumSessions: Int?
    let maximumSessionsPerToken: Int?
    let sessionLength: Duration?
    let drain: Duration?
    let speech: SpeechChoice
    let brain: BrainOptions
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        address = try Self.address(arguments)
        speech = try EngineOptions(arguments).choice
        brain = try BrainOptions(arguments)
        tokenFile = arguments.text(Self.tokenFile.name)
        tls = try Self.tls(arguments)
        hosts = try Self.texts(Self.host, arguments)
        origins = try Self.texts(Self.origin, arguments)
        upstreamFile = arguments.text(Self.upstream.name)
        memoryFolder = arguments.text(Self.memory.name)
        maximumSessions = arguments.number(Self.sessions.name).map { Int($0) }
        maximumSessionsPerToken = arguments.number(Self.sessionsPerToken.name).map { Int($0) }
        sessionLength = arguments.number(Self.sessionMinutes.name).map { .seconds($0 * 60) }
        drain = arguments.number(Self.drain.name).map { .seconds($0) }
        isJSON = arguments.has(Self.json.name)
    }

    private static func address(_ arguments: ParsedArguments) throws(UsageError) -> ListenAddress {
        let text = arguments.text(listen.name) ?? standardAddress
        do {
            return try ListenAddress(text)
        } catch {
            throw arguments.error("--listen takes ADDRESS:PORT, such as \(standardAddress) or [::1]:0, not '\(text)'")
        }
    }

    private static func tls(_ arguments: ParsedArguments) throws(UsageError) -> TLSFiles? {
        switch (arguments.text(certificate.name), arguments.text(key.name)) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, .some), (.some, nil): throw arguments.error("--tls-cert and --tls-key belong together")
        }
    }

    private static func texts(_ option: OptionSpec, _ arguments: ParsedArguments) throws(UsageError) -> [String] {
        let values = arguments.occurrences.filter { $0.name == option.name }.compactMap(\.value)
        if values.contains("") { throw arguments.error("\(option.name) needs a value") }
        return values
    }
}
