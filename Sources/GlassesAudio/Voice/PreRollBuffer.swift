/// The newest audio of a stream, kept so that an utterance can begin before it was noticed; the oldest is overwritten.
///
/// ``append(_:)`` allocates nothing: the ring has its full size from the start.
public struct PreRollBuffer: Sendable, Hashable {
    private var ring: [Int16]
    /// Frames ever appended: the offset of the next one.
    public private(set) var endFrame: Int64 = 0

    /// A buffer of `capacity` frames, at least one.
    public init(capacity: Int) { ring = [Int16](repeating: 0, count: max(capacity, 1)) }

    /// The offset of the oldest frame that is still there.
    public var startFrame: Int64 { max(0, endFrame - Int64(ring.count)) }

    /// Adds audio at the end of the stream.
    public mutating func append(_ samples: Span<Int16>) {
        let skipped = max(0, samples.count - ring.count)
        var place = Int((endFrame + Int64(skipped)) % Int64(ring.count))
        for index in skipped..<samples.count {
            ring[place] = samples[index]
            place += 1
            if place == ring.count { place = 0 }
        }
        endFrame += Int64(samples.count)
    }

    /// The audio from `frame` to the end; what has been overwritten already is missing at its beginning.
    public func samples(from frame: Int64) -> [Int16] { samples(in: min(frame, endFrame)..<endFrame) }

    /// The audio of a range; what has been overwritten already, or has not come yet, is missing.
    public func samples(in range: Range<Int64>) -> [Int16] {
        let first = min(max(range.lowerBound, startFrame), endFrame)
        let count = Int(max(min(range.upperBound, endFrame) - first, 0))
        let place = Int(first % Int64(ring.count))
        let head = min(count, ring.count - place)
        return Array(ring[place..<place + head] + ring[..<(count - head)])
    }
}
