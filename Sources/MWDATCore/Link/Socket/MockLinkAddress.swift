import Synchronization

/// Where this process's mock device kit can be reached, for whoever starts a plugin.
package enum MockLinkAddress {
    private static let path = Mutex<String?>(nil)

    /// The socket of the kit that is enabled; nil for none.
    package static var current: String? {
        get { path.withLock { $0 } }
        set { path.withLock { $0 = newValue } }
    }
}
