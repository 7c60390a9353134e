/// Why a scripted conversation did not go as a test says.
///
/// Thrown out of a test it fails it, in Swift Testing and in XCTest; its description names the step, what was expected and what came.
public struct ConversationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The app did not do what this step needs, within the kit's patience.
        case missing
        /// The app did something that no step expected.
        case unexpected
        /// A step that makes no sense here, such as an answer to nobody.
        case misuse
    }

    /// The kind.
    public let kind: Kind
    /// The number of the step, counted from 1, and its name.
    public let step: String
    /// What was expected and what came, in a sentence.
    public let reason: String

    /// The whole sentence.
    public var description: String { "\(step): \(reason)" }
}
