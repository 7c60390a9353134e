import GlassesDomain

@testable import GlassesRealtime

/// A machine with what it has sent and delivered, for tests that read like a conversation.
struct GeminiTalk {
    var machine = GeminiClientMachine(model: "live", prefix: "p")
    private(set) var sent: [GeminiClientMessage] = []
    private(set) var events: [ServerEvent] = []
    private(set) var reconnects = 0
    private(set) var failure: String?

    /// A talk whose session is accepted.
    static func ready(_ change: (inout SessionUpdate) -> Void = { _ in }) -> GeminiTalk {
        var talk = GeminiTalk()
        talk.apply(.opened)
        var update = SessionUpdate()
        update.input.transcription = .set(Transcription())
        change(&update)
        talk.say(.sessionUpdate(update))
        talk.hear(.setupComplete(sessionId: nil))
        talk.forget()
        return talk
    }

    mutating func apply(_ input: GeminiClientMachine.Input) {
        for action in machine.apply(input) {
            switch action {
            case .send(let message): sent.append(message)
            case .deliver(let event): events.append(event.event)
            case .reconnect: reconnects += 1
            case .fail(let code, _): failure = code
            }
        }
    }

    mutating func say(_ event: ClientEvent, id: String? = nil) { apply(.event(Identified(event, eventId: id))) }

    mutating func hear(_ body: GeminiServerMessage.Body, usage: GeminiUsage? = nil) {
        apply(.message(GeminiServerMessage(body, usage: usage)))
    }

    mutating func hear(_ change: (inout GeminiServerContent) -> Void) {
        var content = GeminiServerContent()
        change(&content)
        hear(.serverContent(content))
    }

    mutating func hearAudio(_ milliseconds: Int) {
        apply(.message(.audio(.pcm([UInt8](repeating: 1, count: milliseconds * 48), rate: 24_000))))
    }

    /// Forgets what was sent and delivered so far.
    mutating func forget() {
        sent = []
        events = []
    }

    var types: [String] { events.map(\.type) }

    var errors: [RealtimeErrorInfo] {
        events.compactMap { if case .error(let info) = $0 { info } else { nil } }
    }

    var ended: [RealtimeResponse] {
        events.compactMap { if case .responseDone(let response) = $0 { response } else { nil } }
    }
}
