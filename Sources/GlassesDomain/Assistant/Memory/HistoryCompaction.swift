/// What becomes of a conversation that grows towards its cap.
public enum HistoryCompaction: Sendable {
    /// The older half is summarised: by ``AssistantConfig/compactionModel`` where the gateway has a model that writes, otherwise by its
    /// most telling sentences. A summary that fails is tried again later; meanwhile the oldest turns are forgotten at the cap.
    case auto
    /// The oldest turns are forgotten, one by one.
    case dropOldest
    /// The app's function gets all turns, oldest first, and returns those that take their place. It runs on a tool thread and has
    /// 60 s; when it throws or takes longer it is asked again later. Turns that come meanwhile stay behind its result.
    case custom(compact: @Sendable ([Turn]) async throws -> [Turn])
    /// Nothing is summarised; at the cap the oldest turns are forgotten, as with ``dropOldest``.
    case none
}
