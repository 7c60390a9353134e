import GlassesDomain
import GlassesRealtime
import Testing

/// An event and the message that is its one strict form on the wire.
struct EventExample<Event: Sendable & Equatable>: Sendable, CustomTestStringConvertible {
    let event: Event
    let text: String

    init(_ event: Event, _ text: String) {
        self.event = event
        self.text = text
    }

    var testDescription: String { String(text.prefix(60)) }
}

func json(_ text: String) throws -> JSONValue { try JSONValue(jsonText: text) }

func json(_ bytes: [UInt8]) throws -> JSONValue { try JSONValue(jsonText: bytes) }
