/// The user's audio on its way to the server.
struct GeminiMicrophone: Sendable, Hashable {
    /// Audio that waits for its commit: 5 minutes, more than anybody holds a key.
    static let heldLimit = 300 * GeminiClientMachine.audioBytesPerSecond
    /// The shortest utterance that can be committed, in ms.
    static let shortestMs = 100
    private static let longMs = 5_000
    private static let bytesPerMs = GeminiClientMachine.audioBytesPerSecond / 1_000

    /// All audio of the connection, in bytes.
    private(set) var received = 0
    /// Audio since the last commit or clear that the server has not got: without its own detection, nothing that was sent could be
    /// taken back.
    private(set) var held: [UInt8] = []
    /// Audio that was committed and waits for the request.
    private(set) var committed: [UInt8] = []

    var hasHeard: Bool { received > 0 }
    var isHolding: Bool { !held.isEmpty || !committed.isEmpty }
    /// Where the audio is now, in ms of all audio of the session.
    var positionMs: Int { received / Self.bytesPerMs }
    /// Where the audio of this connection began; its server counts from there.
    private(set) var connectionStartMs = 0

    /// Whether the connection has lasted for 5 s, by the audio that went over it.
    var hasHeardForLong: Bool { positionMs - connectionStartMs >= Self.longMs }

    mutating func beganConnection() { connectionStartMs = positionMs }

    mutating func passed(_ audio: [UInt8]) { received += audio.count }

    /// Keeps audio; false when too much waits already.
    mutating func hold(_ audio: [UInt8]) -> Bool {
        guard held.count + audio.count <= Self.heldLimit else { return false }
        received += audio.count
        held += audio
        return true
    }

    mutating func clear() { held = [] }

    /// Takes what is held as an utterance; false when it is too short for one.
    mutating func commit() -> Bool {
        guard held.count >= Self.shortestMs * Self.bytesPerMs else { return false }
        committed += held
        held = []
        return true
    }

    mutating func takeCommitted() -> [UInt8] {
        defer { committed = [] }
        return committed
    }
}

/// Speech of the user that is not in words yet, or not in all of them.
struct GeminiUtterance: Sendable, Hashable {
    let itemId: String
    var words = ""
    /// Whether it has become an item.
    var isStopped = false
}
