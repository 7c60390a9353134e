import Foundation
import GlassesCore
import GlassesDomain

/// Which gateway a command talks to: the options that several commands share.
struct GatewayClientOptions: Sendable, Hashable {
    static let gateway = OptionSpec(
        "--gateway", .text("URL|embedded"),
        help:
            "The base URL of the gateway that serves the session, such as wss://gateway.example/v1; 'embedded' is this "
            + "process. Without it EXTENTOS_GATEWAY_URL counts, and without that 'embedded'.")
    static let authorities = OptionSpec(
        "--ca", .text("FILE"),
        help: "Trust the certificate authorities in FILE (PEM) instead of the system's. Or set EXTENTOS_GATEWAY_CA.")
    static let tokenFile = OptionSpec(
        "--token-file", .text("FILE"),
        help:
            "Send the bearer token in FILE, which only you may be able to read (chmod 600). Without it "
            + "EXTENTOS_GATEWAY_TOKEN counts.")
    static let model = OptionSpec("--model", .text("NAME"), help: "Ask the gateway for the model NAME.")

    /// The word that stands for the pipeline in this process.
    private static let embeddedWord = "embedded"

    /// The gateway's address; nil for this process, and when ``problem`` tells why there is none.
    let address: GatewayAddress?
    /// What is wrong with the gateway's URL; nil when nothing is.
    let problem: ConnectionClosure?
    /// The file with the authorities that are trusted.
    let authorities: String?
    /// The file with the token; nil takes that of the environment, if there is one.
    let tokenFile: TokenFile?
    /// The model to ask for.
    let model: String?
    private let token: String?
    /// How audio travels, as the environment says it.
    private let audio: String?

    /// The options of a call; `environment` fills in what was not given.
    init(
        _ arguments: ParsedArguments, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(UsageError) {
        for option in [Self.gateway, Self.authorities, Self.tokenFile, Self.model]
        where arguments.text(option.name) == "" {
            throw arguments.error("\(option.name) needs a value")
        }
        let variable = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let url = arguments.text(Self.gateway.name) ?? variable("EXTENTOS_GATEWAY_URL")
        switch url {
        case nil, Self.embeddedWord?: (address, problem) = (nil, nil)
        case let text?:
            do throws(ConnectionClosure) { (address, problem) = (try GatewayAddress(text: text), nil) } catch {
                (address, problem) = (nil, error)
            }
        }
        authorities = arguments.text(Self.authorities.name) ?? variable("EXTENTOS_GATEWAY_CA")
        tokenFile = arguments.text(Self.tokenFile.name).map(TokenFile.init)
        model = arguments.text(Self.model.name)
        token = variable("EXTENTOS_GATEWAY_TOKEN")
        audio = variable("EXTENTOS_GATEWAY_AUDIO")
        if address == nil, problem == nil {
            for option in [Self.authorities, Self.tokenFile, Self.model] where arguments.text(option.name) != nil {
                throw arguments.error("\(option.name) needs the URL of a gateway: give \(Self.gateway.usage)")
            }
        }
    }

    /// Whether a gateway serves, and not this process.
    var isRemote: Bool { address != nil || problem != nil }

    /// Where the microphone's audio goes.
    var destination: AudioDestination {
        if problem != nil { return .nowhere }
        return address.map(AudioDestination.gateway) ?? .thisMachine
    }

    /// The gateway as the runtime takes it. Throws when its URL or one of the files cannot be used.
    func choice() throws(Problem) -> GatewayChoice { try endpoint().map(GatewayChoice.remote) ?? .embedded }

    /// The way to the gateway; nil for this process. Throws when its URL or one of the files cannot be used.
    func endpoint() throws(Problem) -> GatewayEndpoint? {
        if let problem { throw Problem(code: problem.code, problem.message) }
        guard let address else { return nil }
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw Problem(
                code: "invalid_ca",
                "The file with the certificate authorities, \(authorities), cannot be read. Give another one with --ca."
            )
        }
        var endpoint = GatewayEndpoint(url: address.url, token: try tokenProvider(), authorities: authorities)
        if let audio {
            guard let way = GatewayAudio(rawValue: audio) else {
                throw Problem(
                    code: "invalid_audio",
                    "EXTENTOS_GATEWAY_AUDIO names no way of audio. Set it to automatic, opus or pcm.")
            }
            endpoint.audio = way
        }
        return endpoint
    }

    /// The command that tells what is wrong with the gateway.
    var doctorCommand: String {
        let options = [
            (Self.gateway.name, address?.url.absoluteString), (Self.authorities.name, authorities),
            (Self.tokenFile.name, tokenFile?.path), (Self.model.name, model),
        ]
        return (["glasses doctor"] + options.compactMap { name, value in value.map { "\(name) \($0)" } })
            .joined(separator: " ")
    }

    /// Where the token comes from; nil when none is sent.
    var tokenOrigin: String? { tokenFile?.path ?? token.map { _ in "EXTENTOS_GATEWAY_TOKEN" } }

    private func tokenProvider() throws(Problem) -> (@Sendable () async throws -> String)? {
        if let tokenFile {
            do throws(TokenFile.Failure) { _ = try tokenFile.token() } catch {
                throw Problem(code: "invalid_token", error.description)
            }
            return { try tokenFile.token() }
        }
        guard let token else { return nil }
        return { token }
    }
}
