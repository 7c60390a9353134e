import Foundation

/// What every error of the toolkit has in common: a sentence for a person.
///
/// `"\(error)"` prints the case's name, ``description`` the sentence, and so does `localizedDescription`.
public protocol DatError: Error, Sendable, LocalizedError {
    /// A sentence for a person: what is wrong and what to do next. It holds no secret.
    var description: String { get }
}

extension DatError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension Refusal: DatError {
    /// The sentence, without the check's name.
    public var errorDescription: String? { message }
}
