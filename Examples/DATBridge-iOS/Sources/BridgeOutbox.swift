import Foundation

/// What waits to be sent. Listeners of the toolkit put messages in from their own threads, and one task takes them out.
final class BridgeOutbox: @unchecked Sendable {  // because `lock` guards every member
    /// Section 6: at most six pictures wait.
    private static let mostPictures = 6
    /// More than a host grants at once by far; a host that goes on counts no further.
    private static let mostCredit = 1_024

    private let lock = NSLock()
    private var control: [BridgeMessage] = []
    private var pictures: [BridgeMessage] = []
    private var credit = 0
    private let wake: AsyncStream<Void>.Continuation
    /// Tells that there is something to send.
    let wakeUps: AsyncStream<Void>

    init() { (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// Never dropped, in order, before pictures.
    func put(_ message: BridgeMessage) {
        lock.withLock { control.append(message) }
        wake.yield()
    }

    /// Raw pictures stand alone, so the oldest can go.
    func put(picture: BridgeMessage) {
        lock.withLock {
            pictures.append(picture)
            if pictures.count > Self.mostPictures { pictures.removeFirst() }
        }
        wake.yield()
    }

    /// No picture of a stream follows its pause or its end.
    func put(_ message: BridgeMessage, afterPicturesOf stream: Int) {
        lock.withLock {
            pictures.removeAll { $0.integer("stream") == stream }
            control.append(message)
        }
        wake.yield()
    }

    func grant(_ frames: Int) {
        lock.withLock { credit = min(credit + min(max(frames, 0), Self.mostCredit), Self.mostCredit) }
        wake.yield()
    }

    func next() -> BridgeMessage? {
        lock.withLock {
            if !control.isEmpty { return control.removeFirst() }
            guard credit > 0, !pictures.isEmpty else { return nil }
            credit -= 1
            return pictures.removeFirst()
        }
    }

    func finish() { wake.finish() }
}
