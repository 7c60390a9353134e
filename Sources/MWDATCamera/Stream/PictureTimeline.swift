import MWDATCore

/// What the machine knows of a picture.
struct PictureFacts: Sendable, Equatable {
    var coding: LinkCoding
    /// Whether its size and its bytes fit each other.
    var isWellFormed: Bool
    var isKeyFrame: Bool
    /// Nanoseconds since the run began, by the glasses' clock.
    var time: UInt64
}

/// What the machine knows of a block of sound.
struct SoundFacts: Sendable, Equatable {
    /// Whether it is whole samples of a rate that sound has.
    var isUsable: Bool
    /// Nanoseconds since the run began, by the glasses' clock.
    var time: UInt64
}

/// Why a picture is not handed over.
enum PictureFault: Sendable, Equatable {
    /// It is not in the configured form.
    case otherCoding
    /// Its size, time and bytes do not fit each other.
    case malformed
    /// It needs pictures before it that have not come.
    case undecodable
}

/// Judges pictures, and puts those of all runs on one line of strictly increasing times.
struct PictureTimeline: Sendable {
    /// Later than this is no time of a stream, but a broken clock: a year.
    private static let timeLimit: UInt64 = 365 * 86_400 * 1_000_000_000

    /// When the first picture of all came.
    private var origin: Uptime?
    /// The run's first time by the glasses' clock, and where that is on the line.
    private var base: (glasses: Int64, line: Int64)?
    private var last: Int64 = -1
    private var hasKeyFrame = false

    /// A run begins: its clock starts anew, and so does its coding.
    mutating func begin() {
        base = nil
        hasKeyFrame = false
    }

    /// Why a picture cannot be handed over; nil when it can.
    mutating func fault(of facts: PictureFacts, coding: LinkCoding) -> PictureFault? {
        guard facts.coding == coding else { return .otherCoding }
        guard facts.isWellFormed, facts.time <= Self.timeLimit else {
            // Those that build on it cannot be decoded.
            hasKeyFrame = false
            return .malformed
        }
        if facts.isKeyFrame || coding == .i420 { hasKeyFrame = true }
        return hasKeyFrame ? nil : .undecodable
    }

    /// Where a picture is on the line: at least a nanosecond after the one before.
    mutating func time(of facts: PictureFacts, at now: Uptime) -> Int64 {
        let origin = origin ?? now
        self.origin = origin
        let glasses = Int64(clamping: facts.time)
        let base = base ?? (glasses, (now - origin).nanoseconds)
        self.base = base
        last = max(last + 1, base.line + (glasses - base.glasses))
        return last
    }

    /// Where sound is on the line of the run's pictures.
    func soundTime(_ time: UInt64) -> Int64 {
        guard let base else { return last }
        return max(0, base.line + (Int64(clamping: min(time, Self.timeLimit)) - base.glasses))
    }
}
