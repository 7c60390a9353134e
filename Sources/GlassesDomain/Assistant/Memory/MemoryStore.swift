/// Where what the assistant remembers of a user is kept between sessions.
///
/// Calls come one at a time, on a tool thread, and have 10 s each; while one has not returned no other is made. A `load` that gives nil
/// after a profile was seen counts as a failed read: to forget a user, keep `{}`.
///
/// Without a store of the app's, a file in `$XDG_STATE_HOME/extentos/memory` is used, which nobody else may read.
public protocol MemoryStore: Sendable {
    /// The profile that was saved last, as JSON text; nil when there is none or it cannot be read. `userId` is
    /// ``AssistantConfig/memoryUserId``.
    func load(userId: String?) async -> String?
    /// Replaces the profile. When it cannot be kept the old one should stay.
    func save(userId: String?, profileJson: String) async
}
