/// How important a log event is.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    case verbose
    case debug
    case info
    case warn
    case error

    /// Whether `lhs` is less important.
    public static func < (lhs: LogLevel, rhs: LogLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What caused a toggle to change.
public enum ToggleSource: Sendable, Hashable {
    case ui
    case voiceCommand
    case automationTrigger
}

/// Everything that an app can follow in one stream.
public enum RuntimeEvent: Sendable {
    /// A toggle has a new value; `.null` as the old value means that it was not set.
    case toggleChanged(key: String, oldValue: JSONValue, newValue: JSONValue, source: ToggleSource)
    /// A line of the runtime's log at or above `ExtentosConfig.logLevel`. It never holds transcripts, audio or secrets.
    case log(level: LogLevel, message: String, payload: JSONValue?)
    /// Something happened in the assistant session.
    case assistant(AssistantEvent)
}

/// Runtime events.
public protocol RuntimeClient: AnyObject, Sendable {
    /// A new stream of the events from now on: an event after this call returned is never missed. A subscriber that reads
    /// slowly loses the oldest beyond the newest 512. It ends with `shutdown()`.
    var events: AsyncStream<RuntimeEvent> { get }
    /// The newest 512 events, oldest first.
    func snapshotEvents() async -> [RuntimeEvent]
}

/// The values of all toggles that were set.
public struct Toggles: Sendable, Hashable {
    /// Values by key.
    public var values: [String: JSONValue]

    /// Toggles with `values`.
    public init(values: [String: JSONValue] = [:]) { self.values = values }
}

/// Named settings that the user controls, kept in memory for the life of the glasses instance.
public protocol ToggleClient: AnyObject, Sendable {
    /// All toggles.
    var state: any ObservableState<Toggles> { get }
    /// The value of `key`; nil when it was never set.
    func get(key: String) -> JSONValue?
    /// Sets `key`. Microphone gates have taken effect when this returns.
    func put(key: String, value: JSONValue, source: ToggleSource) async
}

extension ToggleClient {
    /// Sets `key` as a change made in the user interface.
    public func put(key: String, value: JSONValue) async { await put(key: key, value: value, source: .ui) }
}
