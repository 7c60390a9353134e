/// A code that a person types into a device, or into its companion on a phone, to let this app in.
///
/// Show it to the person and keep it nowhere: whoever has it is let in as long as it is valid.
public struct PairingCode: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The longest code, in UTF-8 bytes.
    public static let limit = 64

    /// The code, as it is typed.
    public let text: String
    /// The sentence to show with it: where it is typed, and how long it is valid.
    public let instruction: String

    /// The code `text`; nil for one that is empty or longer than ``limit``.
    public init?(_ text: String, instruction: String) {
        guard !text.isEmpty, text.utf8.count <= Self.limit else { return nil }
        self.text = text
        self.instruction = instruction
    }

    /// That there is a code; never the code itself, which would end in a log.
    public var description: String { "PairingCode" }
    /// Without the code, as ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
