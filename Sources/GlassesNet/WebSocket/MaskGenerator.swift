/// The system's generator for frame masks, which are 32 bits of each number: every number from the system serves twice.
///
/// Not `SystemRandomNumberGenerator` itself also because the thread sanitizer of Swift 6.3 crashes on exclusive access to a value
/// without size.
struct MaskGenerator: RandomNumberGenerator {
    private var unused: UInt64?

    mutating func next() -> UInt64 {
        if let unused {
            self.unused = nil
            return unused
        }
        let number = UInt64.random(in: .min ... .max)
        unused = number >> 32
        return number & 0xFFFF_FFFF
    }
}
