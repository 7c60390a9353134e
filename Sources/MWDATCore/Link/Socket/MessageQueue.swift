/// First in, first out, in constant time each: a peer may fill it with thousands of small messages.
package struct MessageQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    /// An empty one.
    package init() {}

    /// Whether nothing waits.
    package var isEmpty: Bool { head == elements.count }

    /// Adds at the end.
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Adds several at the end.
    package mutating func append(contentsOf more: [Element]) { for element in more { append(element) } }

    /// Takes the first; nil when nothing waits.
    package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head]
        elements[head] = nil
        head += 1
        // What was taken is moved out of the way now and then, so that each element is moved once on average.
        if head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    /// Takes all out.
    package mutating func removeAll() { (elements, head) = ([], 0) }
}

extension MessageQueue: Sendable where Element: Sendable {}
