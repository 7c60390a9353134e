import MWDATCore
import Synchronization

/// Tells once for each rate that it is not one of the glasses'.
final class FrameRateNotice: Sendable {
    static let shared = FrameRateNotice()

    /// An app that computes rates must not fill its log.
    private static let limit = 16

    private let told = Mutex<Set<UInt>>([])

    func tell(asked: UInt, used: UInt) {
        let isNew = told.withLock { told in told.count < Self.limit && told.insert(asked).inserted }
        guard isNew else { return }
        Warnings.tell("glasses have no stream of \(asked) pictures a second; \(used) are asked for instead.")
    }
}
