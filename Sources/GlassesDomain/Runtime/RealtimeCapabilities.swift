/// What an endpoint of the OpenAI Realtime protocol has of it.
///
/// Servers that speak the protocol leave parts of it out, or have them in another place. A session sends such a server only what it knows,
/// and does without the rest as each member says. Nothing is found out by trying: an error event can come late, or never.
///
/// ```swift
/// config.gateway = .url(url, token: key, capabilities: .xAI)
/// ```
public struct RealtimeCapabilities: Sendable, Hashable, Codable {
    /// Under which names events go and come.
    public enum EventNames: Sendable, Hashable, CaseIterable, Codable {
        /// Those of the general release, `response.output_audio.delta`, with the nested session.
        case current
        /// Those of the beta, `response.audio.delta`, with the flat session.
        case beta
    }

    /// Where a session's voice and turn detection stand.
    public enum SessionShape: Sendable, Hashable, CaseIterable, Codable {
        /// In `audio.output` and `audio.input`.
        case nested
        /// `voice` and `turn_detection` at the top, formats nested; answers have `modalities`.
        case voiceOnTop
    }

    /// Under which names events go and come; `current` by default.
    public var eventNames = EventNames.current
    /// Where voice and turn detection stand, with the current names; `nested` by default.
    public var sessionShape = SessionShape.nested
    /// Whether there is `conversation.item.truncate`. Without it an answer that was cut is replaced by the words that were heard of it, if
    /// there is `conversation.item.delete`.
    public var truncates = true
    /// Whether there is `conversation.item.delete`. Without it the provider keeps what nobody heard, and old pictures, until the next
    /// connection.
    public var deletes = true
    /// Whether there is `conversation.item.retrieve`. Sessions do without; a gateway refuses it by itself where it is missing.
    public var retrieves = true
    /// Whether `response.cancel` may name its answer. Without that it is sent bare, which means the answer of the conversation.
    public var cancelsByName = true
    /// Whether turns can be found by meaning. Without that ``TurnDetection/semanticVad`` becomes the default of
    /// ``TurnDetection/serverVad(threshold:prefixPaddingMs:silenceDurationMs:)``, and an `invalid_configuration` event says so.
    public var semanticTurns = true
    /// Whether the client may say what interrupts an answer and which turns are answered (`interrupt_response`, `create_response`).
    /// Without that ``AssistantConfig/interruption`` has no effect, and an `invalid_configuration` event says so.
    public var leavesTurnsToClient = true
    /// Whether `input_audio_buffer.commit` is answered without `response.create`: for push-to-talk.
    public var answersCommits = false
    /// Whether it writes down what the user says. Without that ``AssistantConfig/transcribesInput`` has no effect, and an
    /// `invalid_configuration` event says so.
    public var transcribes = true
    /// The model that does so, where it has to be named; nil leaves it to the endpoint.
    public var transcriptionModel: String?
    /// Whether messages may hold pictures. Without that `includeImage` fails with the code `vision_unsupported`.
    public var pictures = true
    /// Whether a second connection may be open besides the first. Without that the conversation moves in a quiet moment with a gap.
    public var allowsSecondConnection = true
    /// How many minutes a connection lives, unless it says so itself; nil: for ever. Default: 60.
    public var ceilingMinutes: Int? = 60

    /// Everything that the protocol has.
    public init() {}
}

/// Endpoints as their documentation describes them; none of these was tried with the vendor's own servers.
extension RealtimeCapabilities {
    /// The general release of the protocol, and every gateway of this project.
    public static let openAI = RealtimeCapabilities()

    /// The beta of the protocol, which some servers still speak. OpenAI's own wanted the header field `OpenAI-Beta: realtime=v1`.
    public static let openAIBeta = openAI.with { $0.eventNames = .beta }

    /// Azure OpenAI: the general release. Its URL names the deployment, its key is the header field `api-key`, and what transcribes is a
    /// deployment too: name it in ``transcriptionModel``, without which the user's words are not written down.
    public static func azure(transcriptionDeployment: String? = nil) -> RealtimeCapabilities {
        openAI.with {
            $0.transcribes = transcriptionDeployment != nil
            $0.transcriptionModel = transcriptionDeployment
        }
    }

    /// xAI's voice agents: current names, voice and turn detection on top, turns by silence only.
    public static let xAI = openAI.with {
        $0.sessionShape = .voiceOnTop
        $0.semanticTurns = false
        $0.leavesTurnsToClient = false
        $0.pictures = false
    }

    /// LocalAI: a commit is answered by itself, and items are neither deleted nor truncated.
    public static let localAI = openAI.with {
        $0.truncates = false
        $0.deletes = false
        $0.answersCommits = true
        $0.ceilingMinutes = nil
    }

    /// Hugging Face's speech-to-speech server: the smallest set, and one session at a time.
    public static let speechToSpeech = openAI.with {
        $0.truncates = false
        $0.deletes = false
        $0.retrieves = false
        $0.pictures = false
        $0.allowsSecondConnection = false
        $0.ceilingMinutes = nil
    }

    /// A copy with changes.
    public func with(_ change: (inout RealtimeCapabilities) -> Void) -> RealtimeCapabilities {
        var copy = self
        change(&copy)
        return copy
    }
}
