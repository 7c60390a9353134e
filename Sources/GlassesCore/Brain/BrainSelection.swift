import Foundation
import GlassesDomain
import GlassesPipeline

/// Which brain serves a ``BrainChoice``, and why.
@_spi(ExtentosTools)
public struct BrainSelection: Sendable {
    /// What decides the answers.
    public enum Provider: Sendable, Hashable {
        /// The rules.
        case rules
        /// A chat endpoint with the rules behind it.
        case chat(BrainEndpoint, BrainAddress)
        /// The rules, because the endpoint that was chosen cannot be used.
        case unusable(BrainAddressError)
    }

    /// The variables that `.auto` reads.
    enum Variable {
        static let url = "EXTENTOS_BRAIN_URL"
        static let model = "EXTENTOS_BRAIN_MODEL"
        static let key = "EXTENTOS_BRAIN_KEY"
        static let authorities = "EXTENTOS_BRAIN_CA"
    }

    /// What decides the answers.
    public let provider: Provider

    /// The selection for `choice`; an unset or empty variable of `environment` counts as absent.
    public init(_ choice: BrainChoice, environment: [String: String]) {
        switch choice {
        case .rules: provider = .rules
        case .endpoint(let endpoint): provider = Self.provider(endpoint)
        case .auto:
            let value = { (name: String) in Self.value(name, in: environment) }
            guard let text = value(Variable.url) else {
                provider = .rules
                return
            }
            guard let url = URL(string: text) else {
                provider = .unusable(.unreadable)
                return
            }
            provider = Self.provider(
                BrainEndpoint(
                    url: url, model: value(Variable.model), key: value(Variable.key),
                    authorities: value(Variable.authorities)))
        }
    }

    /// Why the endpoint that was chosen cannot be used; nil when it can, or when none was chosen.
    public var problem: BrainAddressError? { if case .unusable(let error) = provider { error } else { nil } }

    /// The endpoint's address; nil for the rules.
    public var address: BrainAddress? { if case .chat(_, let address) = provider { address } else { nil } }

    /// Where audio and text go when this brain answers in the pipeline of this process.
    public var destination: AudioDestination { address.map(AudioDestination.brain) ?? .thisMachine }

    /// The brain. `pictures` opens pictures to measure them; `notify` gets what can be told of it, on any thread.
    public func brain(
        pictures: (any PictureCoder)?, clock: ClockPort, notify: @escaping @Sendable (PipelineNotice) -> Void
    ) -> any PipelineBrain {
        let rules = RulesPipelineBrain(pictures: pictures)
        guard let chat = chatBrain(pictures: pictures, clock: clock) else { return rules }
        return FallbackBrain(first: chat, second: rules, clock: clock, notify: notify)
    }

    /// The chat endpoint alone, with nothing behind it; nil for the rules.
    public func chatBrain(pictures: (any PictureCoder)? = nil, clock: ClockPort) -> ChatBrain? {
        guard case .chat(let endpoint, let address) = provider else { return nil }
        return ChatBrain(
            transport: .live(endpoint, at: address), model: endpoint.model, seesImages: endpoint.seesPictures,
            clock: clock, pictures: pictures)
    }

    private static func provider(_ endpoint: BrainEndpoint) -> Provider {
        do throws(BrainAddressError) {
            return .chat(endpoint, try BrainAddress(endpoint.url, key: endpoint.key))
        } catch {
            return .unusable(error)
        }
    }

    private static func value(_ name: String, in environment: [String: String]) -> String? {
        let text = environment[name]?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text?.isEmpty == false ? text : nil
    }
}
