import GlassesDomain
import GlassesTesting

@testable import GlassesRuntime

extension EventLog {
    /// A log that keeps every line.
    static func forTests(_ clock: ManualClock) -> EventLog {
        EventLog(logLevel: .verbose, interceptors: [], clock: clock.port, mirror: nil) { body in Task { await body() } }
    }

    /// The messages of the log lines so far.
    var lines: [String] {
        get async {
            await snapshotEvents().compactMap { if case .log(_, let message, _) = $0 { message } else { nil } }
        }
    }
}
