import GlassesPluginKit
import MWDATCore

/// What a session's states mean for the host, and when the next session is tried.
enum SessionPolicy {
    /// Shorter cycles wedge the glasses.
    static let leastPause: Duration = .seconds(2)
    private static let mostPause: Duration = .seconds(16)

    /// The pause before another attempt, after so many that failed in a row.
    static func pause(afterFailures failures: Int) -> Duration {
        min(leastPause * (1 << min(max(failures - 1, 0), 8)), mostPause)
    }

    /// The gesture that a change of state comes from; nil for none. Glasses that are not worn pause by themselves.
    static func gesture(from old: DeviceSessionState, to new: DeviceSessionState, isWorn: Bool) -> InputReport.Gesture?
    {
        guard isWorn else { return nil }
        return switch (old, new) {
        case (.started, .paused), (.paused, .started): .tap
        default: nil
        }
    }

    /// Whether the wearer held the temple to end a session: the glasses ended it, and nothing is wrong with them.
    static func isHold(_ reason: Refusal?, _ glasses: GlassesSnapshot?) -> Bool {
        reason?.check == .endedByDevice && glasses?.isUsable == true && glasses?.isWorn == true
    }
}
