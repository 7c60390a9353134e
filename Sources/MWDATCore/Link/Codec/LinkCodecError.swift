/// Why bytes are no message of the link's protocol, or a message cannot become bytes.
package struct LinkCodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The machine-readable cause.
    package enum Code: String, Sendable, CaseIterable {
        /// The bytes do not begin as a message does: the peer speaks something else.
        case notAMessage = "not_a_message"
        /// The peer frames its messages in a way that this version does not know.
        case framingVersion = "framing_version"
        /// A header or payload is larger than allowed.
        case tooLarge = "too_large"
        /// A header is no JSON object, or lacks a field that its kind needs, or has it with another type.
        case malformed
    }

    /// The machine-readable cause.
    package let code: Code
    /// A sentence for a person; it quotes nothing of the message but names of fields.
    package let message: String

    /// An error with the given cause and sentence.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence.
    package var description: String { message }

    /// The reason that a broken connection ends with.
    package var refusal: Refusal {
        Refusal(
            .transport, "The other end of the link broke its protocol: \(message) Update both ends.", isRetryable: true)
    }
}
