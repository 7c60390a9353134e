/// Reads the orientation out of EXIF data.
enum EXIFReader {
    private static let orientationTag = 0x0112
    private static let shortType = 3
    private static let entrySize = 12

    /// The orientation, 1–8, in a TIFF block of either byte order; nil when it has none or is damaged.
    static func orientation(in block: ByteReader) -> Int? {
        let number: (Int, Int) -> Int?
        if block.has("II", at: 0) {
            number = block.little
        } else if block.has("MM", at: 0) {
            number = block.big
        } else {
            return nil
        }
        guard number(2, 2) == 42, let directory = number(4, 4), let entries = number(directory, 2) else { return nil }
        for entry in 0..<entries {
            let offset = directory + 2 + entry * entrySize
            guard let tag = number(offset, 2) else { return nil }
            guard tag == orientationTag, number(offset + 2, 2) == shortType else { continue }
            return number(offset + 8, 2).flatMap { (1...8).contains($0) ? $0 : nil }
        }
        return nil
    }
}
