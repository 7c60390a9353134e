/// Ids that are over for ever: of answers, whose late events then have no effect, and of calls, which then do not run again.
public struct RememberedIDs: Sendable, Hashable {
    /// Newest kept: more than a provider's longest connection produces, about 200 KB.
    public static let limit = 4096

    private var order: [String] = []
    private var ids: Set<String> = []
    private var oldest = 0

    /// No id yet.
    public init() {}

    /// Remembers an id until 4,096 others came after it.
    public mutating func insert(_ id: String) {
        guard ids.insert(id).inserted else { return }
        if order.count < Self.limit {
            order.append(id)
        } else {
            ids.remove(order[oldest])
            order[oldest] = id
            oldest = (oldest + 1) % Self.limit
        }
    }

    /// Whether the id is remembered.
    public func contains(_ id: String) -> Bool { ids.contains(id) }
}
