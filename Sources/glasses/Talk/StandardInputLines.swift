import Foundation

/// The lines of standard input.
enum StandardInputLines {
    /// More lines than somebody types while one is carried out; the oldest are kept.
    private static let limit = 16

    /// The lines from now on. A thread of its own reads them, since nothing can interrupt a read.
    static func stream() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(limit))
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }
}
