import MWDATCore
import Synchronization

/// The elements that were tapped.
final class Taps: Sendable {
    private let tapped = Mutex<[String]>([])

    var elements: [String] { tapped.withLock { $0 } }

    func note(_ event: LinkEvent) {
        guard case .viewTapped(_, let element) = event else { return }
        tapped.withLock { $0.append(element) }
    }
}
