/// Where the packets of one stream belong: `start` is the authority, a gap is silence, an overlap is dropped, the pre-skip is left out once.
///
/// Places are samples at 48 kHz as in frames; what it answers are samples at 24 kHz. Pure.
public struct OpusTimeline: Sendable, Hashable {
    /// What becomes of a packet, in samples at 24 kHz.
    public struct Piece: Sendable, Hashable {
        /// Silence before it.
        public var silence: Int
        /// The part of the decoded packet that is sound of the stream.
        public var kept: Range<Int>
    }

    /// Up to where there is sound, in samples at 24 kHz since the stream's start.
    private var position = 0
    private var end: Int?

    /// A stream that begins.
    public init() {}

    /// Whether all sound up to the announced end has come.
    public var isComplete: Bool { end.map { position >= $0 } ?? false }

    /// The sound so far in samples at 24 kHz, without the pre-skip.
    public var length: Int { max(0, min(position, end ?? position) - Self.preSkip) }

    /// The stream ends at `start`; an end before what has come changes nothing any more.
    public mutating func announceEnd(at start: UInt32) { end = Int(start / 2) }

    /// A packet that begins at `start` and has `count` decoded samples at 24 kHz. Throws ``OpusFrameError/gapTooLong``.
    public mutating func take(start: UInt32, count: Int) throws(OpusFrameError) -> Piece {
        let first = Int(start / 2)
        guard first - position <= OpusWire.longestGap / 2 else { throw .gapTooLong }
        let silence = sound(position..<max(position, first)).count
        let new = sound(min(max(position, first), first + count)..<(first + count))
        position = max(position, first + count)
        return Piece(silence: silence, kept: (new.lowerBound - first)..<(new.upperBound - first))
    }

    /// Without the pre-skip and what lies behind the end.
    private func sound(_ range: Range<Int>) -> Range<Int> {
        range.clamped(to: Self.preSkip..<max(Self.preSkip, end ?? .max))
    }

    private static let preSkip = OpusWire.preSkip / 2
}
