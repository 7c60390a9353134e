/// The letters of a pairing code: thirty-two that nobody takes for another one, so each carries five bits.
enum PairingAlphabet {
    static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    /// Fifty bits: together with the rounds of hashing more than can be tried from a recorded greeting.
    static let length = 10

    /// A new code, such as `K7QM2XWD9F`.
    static func code(using generator: inout some RandomNumberGenerator) -> String {
        String((0..<length).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }

    /// The code as a person reads it, in two halves.
    static func readable(_ code: String) -> String { "\(code.prefix(length / 2))-\(code.dropFirst(length / 2))" }
}
