import Dispatch
import MWDATCore
import Synchronization

extension WearablesHub {
    /// A hub of a test's own, over `link`.
    package static func test(
        _ link: any WearablesLink, timekeeper: any Timekeeper = SystemTimekeeper.shared,
        configuration: Configuration = .test, tokenRule: TokenRule = TokenRule(isStrict: false, warn: { _ in })
    ) -> WearablesHub {
        WearablesHub(link: link, configuration: configuration, timekeeper: timekeeper, tokenRule: tokenRule)
    }

    /// Returns when everything that was put into the hub's queues has been carried out, and what followed from it. It blocks its
    /// thread for a moment.
    package func settle() {
        for _ in 0..<4 {
            work.sync {}
            announcements.sync {}
        }
    }
}

extension Configuration {
    /// A test app in Developer Mode.
    package static let test = Configuration(
        bundleIdentifier: "org.extentos.test", appName: "Test app", appLinkURLScheme: "testapp://")
}

/// What happened, in order, as listeners on other threads tell it.
package final class Log<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    package init() {}

    package func append(_ element: Element) { elements.withLock { $0.append(element) } }

    package var all: [Element] { elements.withLock { $0 } }
}
