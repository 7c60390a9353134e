import Dispatch
import Foundation

/// Waits for SIGINT or SIGTERM, so that a conversation ends in order: recordings are finished, the device is released.
final class EndSignals: Sendable {
    /// Gives one element for each signal; it never ends by itself.
    let stream: AsyncStream<Int32>
    // because: they are only kept alive, nothing uses them after init.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// From now on the two signals do not end the process by themselves.
    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream(bufferingPolicy: .bufferingNewest(4))
        self.stream = stream
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in continuation.yield(number) }
            source.resume()
            return source
        }
    }
}
