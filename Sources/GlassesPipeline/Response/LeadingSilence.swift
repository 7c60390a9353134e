/// Takes the silence before the first sound out of an answer: voices begin with up to a quarter of a second of it, for which
/// whoever asked would wait. Between sentences it stays, where it is a pause.
struct LeadingSilence: Equatable, Sendable {
    /// What is left of it, 10 ms: the soft beginning of the first sound.
    static let margin = PipelineLimits.sampleRate / 100
    /// Below this a sample counts as silence, −50 dB.
    static let level: UInt16 = 100
    /// What is silent for longer than this second is meant to be.
    static let limit = PipelineLimits.sampleRate

    private var kept: [Int16] = []
    private var left = LeadingSilence.limit

    /// The part of the next samples that is to be heard, in order.
    mutating func trim(_ samples: [Int16]) -> [Int16] {
        guard left > 0 else { return samples }
        let known = kept + samples
        if let first = samples.firstIndex(where: { $0.magnitude > Self.level }), first <= left {
            left = 0
            return Array(known[max(0, kept.count + first - Self.margin)...])
        }
        guard samples.count < left else {
            let silence = left
            left = 0
            return Array(known[max(0, kept.count + silence - Self.margin)...])
        }
        left -= samples.count
        kept = Array(known.suffix(Self.margin))
        return []
    }
}
