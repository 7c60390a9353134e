import Foundation
import Glibc

/// What becomes of a token that is dropped at once.
package struct TokenRule: Sendable {
    /// A token that its maker keeps for less than this was never meant to be kept: nobody listens for so short a time.
    package static let discardedWithin = Duration.milliseconds(50)

    /// Whether a dropped token always cancels, as with the vendor's SDK.
    package var isStrict: Bool
    package var timekeeper: any Timekeeper
    /// Told once a publisher.
    package var warn: @Sendable (String) -> Void

    package init(
        isStrict: Bool, timekeeper: any Timekeeper = SystemTimekeeper.shared,
        warn: @escaping @Sendable (String) -> Void = { Warnings.tell($0) }
    ) {
        self.isStrict = isStrict
        self.timekeeper = timekeeper
        self.warn = warn
    }

    /// The rule of this process: strict with `MWDAT_STRICT_TOKENS=1`.
    package static let ofProcess = TokenRule(
        isStrict: ProcessInfo.processInfo.environment["MWDAT_STRICT_TOKENS"] == "1")
}

/// A listener's token.
final class ListenerToken<T: Sendable>: ReleasableToken {
    private let cell: ListenerCell<T>
    private let store: ListenerStore<T>
    private let rule: TokenRule
    private let made: Uptime
    private let maker = pthread_self()

    init(cell: ListenerCell<T>, store: ListenerStore<T>, rule: TokenRule) {
        self.cell = cell
        self.store = store
        self.rule = rule
        made = rule.timekeeper.now
    }

    deinit {
        if !rule.isStrict, pthread_equal(maker, pthread_self()) != 0,
            rule.timekeeper.now - made <= TokenRule.discardedWithin, store.keepsDiscarded(cell)
        {
            return
        }
        cancelAtOnce()
    }

    func cancelAtOnce() {
        cell.cancel()
        store.remove(cell)
    }

    func cancel() async {
        cancelAtOnce()
        await cell.cancelAndWait()
    }
}
