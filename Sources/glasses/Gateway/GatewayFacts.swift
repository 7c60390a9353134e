import GlassesDomain
import GlassesGateway
import GlassesPipeline
import GlassesServer

/// What an operator wants to know of a gateway that has started.
struct GatewayFacts: Sendable, Hashable {
    let recogniser: String?
    let voice: String?
    let voiceActivity: String
    let brain: String
    /// How many tokens are let in; nil when no token is asked for.
    let tokens: Int?
    let models: [String]
    /// One sentence that says where the clients' audio goes.
    let audioDestination: String
    /// Whether clients reach it over TLS.
    let isEncrypted: Bool

    init(configuration: GatewayConfiguration, engines: GatewayEngines) {
        recogniser = engines.recogniser?.id
        voice = engines.voice?.id
        voiceActivity = engines.detector?.id ?? SpeechChoice.energy
        brain = engines.pipeline.brain.name
        tokens = configuration.tokens?.count
        models = ["local"] + (configuration.upstreams?.modelNames ?? [])
        let hosts = configuration.upstreams?.hosts ?? []
        let chatHosts = configuration.upstreams?.chatHosts ?? []
        let text = if case .brain(let address) = engines.destination { " Of 'local': \(address.sentence)" } else { "" }
        let audio =
            hosts.isEmpty
            ? engines.destination.sentence
            : "Audio of 'local' stays on this machine; that of the other models goes to \(hosts.joined(separator: ", "))."
                + text
        audioDestination =
            chatHosts.isEmpty ? audio : "\(audio) Text of chats goes to \(chatHosts.joined(separator: ", "))."
        isEncrypted = configuration.server.tls != nil
    }
}
