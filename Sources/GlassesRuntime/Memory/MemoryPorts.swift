import GlassesDomain

/// What conversations are made shorter by, and remembered in.
struct MemoryPorts: Sendable {
    /// A model that writes; nil when there is none.
    var chat: ChatPort?
    /// Where profiles are kept unless the app has a store of its own.
    var store: (any MemoryStore)?
    /// Work on profiles, one after another.
    let chain = OperationChain()

    static let none = MemoryPorts()
}
