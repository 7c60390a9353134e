/// Any sequence of elements that come in time, without its type. An error of the sequence ends it.
public struct AnyAsyncSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// Reads it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let advance: () async -> Element?

        /// The next element; nil at the end.
        public mutating func next() async -> Element? { await advance() }
    }

    private let makeIterator: @Sendable () -> AsyncIterator

    /// Hides the type of `sequence`.
    public init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Element {
        makeIterator = {
            let box = IteratorBox(sequence.makeAsyncIterator())
            return AsyncIterator(advance: { await box.next() })
        }
    }

    /// A reader of its own.
    public func makeAsyncIterator() -> AsyncIterator { makeIterator() }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// The same sequence without its type.
    public func eraseToAnySequence() -> AnyAsyncSequence<Element> { AnyAsyncSequence(self) }
}

/// One iterator, which only its one reader advances.
private final class IteratorBox<Base: AsyncIteratorProtocol> {
    private var base: Base

    init(_ base: Base) { self.base = base }

    func next() async -> Base.Element? {
        do { return try await base.next() } catch { return nil }
    }
}
