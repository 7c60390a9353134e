/// A 64-bit FNV-1a hash, by which a trace tells things apart that it does not hold. It protects nothing that could be guessed.
public enum TraceHash {
    /// How many characters a hash has.
    public static let length = 16

    /// The hash of bytes as 16 hexadecimal digits.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: length - digits.count) + digits
    }
}
