/// Says which frame of the host's ring is leaving the loudspeaker.
///
/// The device counts every frame, silence too; the host counts only its own. The ledger remembers where in the device's
/// stream each run of the host's frames lies, so that inserted silence counts for no position. Pure, and of fixed size.
struct PlaybackLedger {
    /// A position and whether it advances by itself.
    struct Position: Equatable {
        var frame: Int64
        var isAdvancing: Bool
    }

    private struct Run {
        var device: Int64 = 0
        var ring: Int64 = 0
        var count: Int64 = 0
    }

    /// Runs kept. A new run begins only after silence, which is inserted by the 10 ms: enough for a delay of 2.5 s.
    private static let runLimit = 256

    private var runs = InlineArray<256, Run>(repeating: Run())
    private var first = 0
    private var count = 0
    private var written: Int64 = 0
    private var played: Int64

    /// A ledger of a device that was prepared; `ring` is the ring position of the next frame it will be given.
    init(ring: Int64) { played = ring }

    /// The device took `frames` frames of the ring from `ring` on.
    mutating func wroteAudio(_ frames: Int, from ring: Int64) {
        guard frames > 0 else { return }
        if count > 0 {
            let last = (first + count - 1) % Self.runLimit
            let continues = runs[last].device + runs[last].count == written
            // A full table joins over the silence: late by its length, but bounded.
            if continues || count == Self.runLimit {
                runs[last].count += Int64(frames)
                written += Int64(frames)
                return
            }
        }
        runs[(first + count) % Self.runLimit] = Run(device: written, ring: ring, count: Int64(frames))
        count += 1
        written += Int64(frames)
    }

    /// The device took `frames` frames of silence.
    mutating func wroteSilence(_ frames: Int) { written += Int64(max(0, frames)) }

    /// What is leaving the loudspeaker when `delay` frames are still on their way; never less than an earlier answer.
    mutating func position(delay: Int) -> Position {
        let leaving = written - Int64(max(0, delay))
        while count > 0, runs[first].device + runs[first].count <= leaving {
            played = max(played, runs[first].ring + runs[first].count)
            first = (first + 1) % Self.runLimit
            count -= 1
        }
        guard count > 0, leaving >= runs[first].device else { return Position(frame: played, isAdvancing: false) }
        played = max(played, runs[first].ring + leaving - runs[first].device)
        return Position(frame: played, isAdvancing: true)
    }

    /// The device ran dry: it has played everything that it was given.
    mutating func ranDry() {
        _ = position(delay: 0)
        written = 0
    }

    /// The device's buffer was dropped; `ring` is the position of the next frame it will be given. Dropped frames count
    /// as passed.
    mutating func cut(next ring: Int64) {
        count = 0
        first = 0
        written = 0
        played = max(played, ring)
    }
}
