/// Why a mock link cannot be served.
package struct LinkServerError: Error, Sendable, CustomStringConvertible {
    /// Which check failed, and what to do.
    package let refusal: Refusal

    /// The sentence.
    package var description: String { refusal.message }
}
