import GlassesAssistant
import GlassesDomain

extension AssistantProvider {
    /// Whether a stand-in answers.
    var isMock: Bool {
        switch self {
        case .mock: true
        case .managed: false
        }
    }
}

extension RealtimeConnector {
    /// The facts of a provider to which nothing is sent; a stand-in's session opens no connection.
    static let mock = RealtimeConnector(
        providerName: "mock", defaultModel: nil, audioDestination: AudioDestination.nowhere.sentence,
        canCompose: false
    ) { _ in
        throw ConnectionClosure(code: "mock_provider", message: "The mock provider has no connection.")
    }
}

extension SessionSettings {
    /// What decides in a session of this configuration.
    func decider(of config: AssistantConfig) -> any SessionDeciding {
        switch config.provider {
        case .managed: return SessionMachine(configuration: machine)
        case .mock(.matchToolDescriptions):
            let own = config.tools.map { ($0.name, $0.description) }
            let descriptions = Dictionary(own, uniquingKeysWith: { first, _ in first })
            return MockSessionMachine(configuration: machine, descriptions: descriptions)
        }
    }
}
