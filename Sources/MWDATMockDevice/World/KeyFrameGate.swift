import MWDATCore

/// Holds back coded pictures after one was lost, until one comes that can be decoded alone.
struct KeyFrameGate: Sendable, Equatable {
    private var isClosed = false

    /// A picture was lost.
    mutating func close(after lost: LinkFrame) { close(lost.coding) }

    /// A picture of that coding was lost.
    mutating func close(_ coding: LinkCoding) {
        if coding == .hvc1 { isClosed = true }
    }

    /// Whether a picture may pass.
    mutating func lets(_ frame: LinkFrame) -> Bool {
        if frame.isKeyFrame { isClosed = false }
        return !isClosed
    }
}
