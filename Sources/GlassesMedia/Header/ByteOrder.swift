/// Numbers as bytes.
enum ByteOrder {
    /// The bytes of a number, the highest first.
    static func big(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
