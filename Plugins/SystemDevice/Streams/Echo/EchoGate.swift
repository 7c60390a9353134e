/// Keeps back what the microphone hears until the way of the echo is known. Pure.
///
/// The canceller learns the first half second of what it cancels, and needs more for a long path; what gets through until
/// then is taken for a person, and the assistant interrupts its own first words. So while something is played for the
/// first time, the microphone is silent: until the echo was found and a moment more for the filter, until it is clear
/// that there is none, or for three seconds of sound at most. Afterwards it stays open.
struct EchoGate: Equatable {
    /// Frames of sound after which it opens, whatever was heard.
    static let limit = 300
    /// Frames of sound with nothing to hear that mean that there is no echo.
    static let quietLimit = 100
    /// Frames that the filter gets after the echo was found.
    static let settling = 30
    /// How long after the last sound its echo may be heard, in frames: the longest path and its room.
    private static let tail = 60
    /// The level below which nothing is heard.
    private static let quietLevel: Float = 2

    private var soundFrames = 0
    private var quietFrames = 0
    private var sinceSound = Self.tail
    private var settlingLeft: Int?
    private var isOpen = false

    /// Takes the levels of the next frame, and whether the echo was found in it; answers whether the frame is kept back.
    mutating func keepsBack(reference: Float, microphone: Float, isFound: Bool) -> Bool {
        guard !isOpen else { return false }
        let isSounding = reference >= FrameLevel.sound
        sinceSound = isSounding ? 0 : sinceSound + 1
        if isSounding {
            soundFrames += 1
            quietFrames = microphone < Self.quietLevel ? quietFrames + 1 : 0
        }
        if isFound, settlingLeft == nil { settlingLeft = Self.settling }
        if let left = settlingLeft { settlingLeft = left - 1 }
        isOpen = soundFrames >= Self.limit || quietFrames >= Self.quietLimit || settlingLeft ?? 1 <= 0
        return !isOpen && sinceSound < Self.tail
    }
}
