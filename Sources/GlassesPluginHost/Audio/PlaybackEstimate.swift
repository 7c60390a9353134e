import GlassesDomain

/// Which frame is leaving the loudspeaker, from the plugin's reports and, between them, the nominal rate.
///
/// The reports are hostile input: the position never goes back, and never past what was written.
struct PlaybackEstimate: Sendable, Equatable {
    /// What was said of a report.
    enum Judgement: Sendable, Equatable {
        case accepted
        case implausible
    }

    /// A report further than this from now has no time of a loudspeaker.
    private static let plausibleAge: Duration = .seconds(10)

    private let sampleRate: Int64
    private var reported: PlaybackPosition

    /// Nothing is played yet.
    init(sampleRate: Int, now: MonotonicTime) {
        self.sampleRate = Int64(sampleRate)
        reported = PlaybackPosition(frame: 0, time: now, isAdvancing: false)
    }

    /// The last report, as it was believed.
    var lastReport: PlaybackPosition { reported }

    /// A report of the plugin.
    mutating func report(_ position: PlaybackPosition, written: Int64, now: MonotonicTime) -> Judgement {
        let age = position.time.duration(to: now)
        let hasTime = -Self.plausibleAge...Self.plausibleAge ~= age
        let frame = min(max(position.frame, reported.frame), written)
        let isPlausible = hasTime && frame == position.frame
        reported = PlaybackPosition(
            frame: frame, time: hasTime ? position.time : now, isAdvancing: position.isAdvancing)
        return isPlausible ? .accepted : .implausible
    }

    /// A flush was carried out: everything before `position` counts as passed.
    mutating func flushed(upTo position: Int64, now: MonotonicTime) {
        guard position > reported.frame else { return }
        reported = PlaybackPosition(frame: position, time: now, isAdvancing: false)
    }

    /// The plugin is gone: nothing moves until another one reports.
    mutating func stopped(now: MonotonicTime) {
        reported = PlaybackPosition(frame: reported.frame, time: now, isAdvancing: false)
    }

    /// The position at `now`, extrapolated but never past `written`.
    func position(at now: MonotonicTime, written: Int64) -> PlaybackPosition {
        guard reported.isAdvancing else {
            return PlaybackPosition(frame: reported.frame, time: now, isAdvancing: false)
        }
        let elapsed = max(0, reported.time.duration(to: now).wholeNanoseconds)
        let rest = max(0, written - reported.frame)
        let (product, overflow) = elapsed.multipliedReportingOverflow(by: sampleRate)
        let passed = overflow ? rest : min(rest, product / 1_000_000_000)
        return PlaybackPosition(frame: reported.frame + passed, time: now, isAdvancing: passed < rest)
    }
}
