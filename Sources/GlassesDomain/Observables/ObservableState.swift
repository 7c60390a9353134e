/// A value that can be read at once and followed.
///
/// Equal values are never delivered twice in a row, and every subscriber sees the values in the order in which they were set.
public protocol ObservableState<Element>: Sendable {
    /// What is observed.
    associatedtype Element: Sendable
    /// The value now; callable on any thread, never blocks for long.
    var current: Element { get }
    /// A new stream that begins with the value now and then gives each change. A subscriber that reads slowly loses the
    /// oldest values beyond the newest 256, never the last one. It ends with the object that owns the state.
    var stream: AsyncStream<Element> { get }
}
