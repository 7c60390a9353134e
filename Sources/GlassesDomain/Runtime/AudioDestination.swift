/// Where the microphone's audio goes while a session is awake.
public enum AudioDestination: Sendable, Hashable {
    /// The pipeline in this process.
    case thisMachine
    /// The pipeline in this process, whose brain is a chat endpoint: the conversation's text goes there.
    case brain(BrainAddress)
    /// A gateway.
    case gateway(GatewayAddress)
    /// Nowhere, because the configured gateway cannot be used.
    case nowhere

    /// One sentence for a person.
    public var sentence: String {
        switch self {
        case .thisMachine: "Audio stays on this machine."
        case .brain(let address): "Audio stays on this machine. \(address.sentence)"
        case .gateway(let address): Self.sentence(address)
        case .nowhere: "Audio goes nowhere: the configured gateway cannot be used."
        }
    }

    private static func sentence(_ address: GatewayAddress) -> String {
        switch (address.isEncrypted, address.isLoopback) {
        case (true, false): "Audio goes to \(address.displayName) over TLS."
        case (true, true): "Audio goes to a gateway on this machine, \(address.displayName), over TLS."
        case (false, true): "Audio goes to a gateway on this machine, \(address.displayName), unencrypted."
        case (false, false):
            "Audio goes to \(address.displayName) unencrypted: whoever is on the way can listen. Use wss://."
        }
    }

    /// The fields of the `audio.destination` event: `message` is the sentence; `gateway` is `embedded`, `remote` or `none`; `host`
    /// and `port` are a gateway's; `encrypted` tells whether TLS protects the audio on its way, and is null where it has none;
    /// `textHost` is the chat endpoint that gets the conversation's text, and `textEncrypted` whether TLS protects that; both are
    /// null where the text goes the audio's way.
    public var payload: JSONValue {
        let (kind, address): (String, GatewayAddress?) =
            switch self {
            case .thisMachine, .brain: ("embedded", nil)
            case .gateway(let address): ("remote", address)
            case .nowhere: ("none", nil)
            }
        let brain: BrainAddress? = if case .brain(let address) = self { address } else { nil }
        return [
            "message": .string(sentence), "gateway": .string(kind),
            "host": address.map { .string($0.host) } ?? .null,
            "port": address.map { .int(Int64($0.port)) } ?? .null,
            "encrypted": address.map { .bool($0.isEncrypted) } ?? .null,
            "textHost": brain.map { .string($0.displayName) } ?? .null,
            "textEncrypted": brain.map { .bool($0.isEncrypted) } ?? .null,
        ]
    }
}
