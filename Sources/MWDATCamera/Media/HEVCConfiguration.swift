import Foundation

/// What an `hvcC` record tells of HEVC (ISO/IEC 14496-15, 8.3.3.1).
struct HEVCConfiguration: Sendable, Equatable {
    /// Parameter sets, in the record's order.
    let parameterSets: [Data]
    /// Bytes of the length before each NAL unit.
    let lengthSize: Int

    private static let headerSize = 23
    private static let lengthSizes: Set<Int> = [1, 2, 4]

    /// Reads a record; nil when it is damaged, or has no parameter sets.
    init?(_ record: Data) {
        let bytes = [UInt8](record)
        guard bytes.count >= Self.headerSize, bytes[0] == 1, let sets = Self.sets(in: bytes), !sets.isEmpty,
            Self.lengthSizes.contains(Int(bytes[21] & 3) + 1)
        else { return nil }
        lengthSize = Int(bytes[21] & 3) + 1
        parameterSets = sets
    }

    private static func sets(in bytes: [UInt8]) -> [Data]? {
        var sets: [Data] = []
        var offset = headerSize
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard offset + count <= bytes.count else { return nil }
            defer { offset += count }
            return bytes[offset..<offset + count]
        }
        for _ in 0..<bytes[22] {
            guard let head = take(3) else { return nil }
            for _ in 0..<number(head.suffix(2)) {
                guard let length = take(2), let set = take(number(length)), !set.isEmpty else { return nil }
                sets.append(Data(set))
            }
        }
        return sets
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
