/// The system's cryptographic generator. It has a stored value because the thread sanitizer of Swift 6.3 crashes on
/// exclusive access to a value without one, such as the standard library's.
struct SystemRandomness: RandomNumberGenerator {
    private let placeholder: UInt64 = 0

    mutating func next() -> UInt64 { UInt64.random(in: .min ... .max) }

    /// Random bytes.
    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
}
