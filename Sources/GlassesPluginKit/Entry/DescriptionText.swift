import Synchronization

/// What an instance answers to describe: asked of the plugin once, since it is constant.
final class DescriptionText: Sendable {
    private let cached = Mutex<[UInt8]?>(nil)

    /// The text as UTF-8.
    func bytes(_ describe: () -> PluginJSON) -> [UInt8] {
        cached.withLock { cached in
            if let cached { return cached }
            let text = Array(describe().text.utf8)
            cached = text
            return text
        }
    }
}
