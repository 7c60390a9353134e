import GlassesDomain

/// What conversations are made shorter by, and remembered in.
struct MemoryPorts: Sendable {
    /// A model that writes; nil when there is none.
    var chat: ChatPort?
    /// Where profiles are kept unless the app has a store of its own.
    var store: (any MemoryStore)?
    let chains = MemoryChains()

    static let none = MemoryPorts()
}

/// All sessions' work on what is remembered.
struct MemoryChains: Sendable {
    /// Reads and writes of profiles, so that no two interleave on one.
    let stores = OperationChain()
    /// Questions to a model, which may take a minute each.
    let models = OperationChain()
}
