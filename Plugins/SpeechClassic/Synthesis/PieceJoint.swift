/// Joins the pieces of one sentence: Flite puts silence around every piece, which belongs only between sentences.
struct PieceJoint: Sendable {
    private var followsClosely = false

    /// What is left of a silence in mid-sentence, 40 ms.
    private static let margin = FliteLibrary.sampleRate / 25
    /// Below this a sample counts as silence, -50 dB.
    private static let silence: UInt16 = 100

    /// The part of a piece that is to be heard after the piece before.
    mutating func trim(_ samples: [Int16], endsSentence: Bool) -> ArraySlice<Int16> {
        defer { followsClosely = !endsSentence }
        guard let first = samples.firstIndex(where: { $0.magnitude > Self.silence }),
            let last = samples.lastIndex(where: { $0.magnitude > Self.silence })
        else { return samples[...] }
        let start = followsClosely ? max(first - Self.margin, 0) : 0
        let end = endsSentence ? samples.count : min(last + 1 + Self.margin, samples.count)
        return samples[start..<end]
    }
}
