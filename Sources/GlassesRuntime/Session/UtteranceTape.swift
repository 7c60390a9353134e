/// The last moments of the microphone, and the utterances that a lost connection must not take: the one under way, and those that
/// the provider has not put into words yet.
///
/// Positions count captured frames. ``append(_:)`` allocates nothing: the room for the longest utterance is reserved before, and the
/// system gives the memory when it is first used.
struct UtteranceTape {
    /// What is remembered while nobody speaks, in frames: 2 s, longer than any provider needs to say that somebody does.
    static let window = 2 * RealtimeAudio.sampleRate
    /// What comes before the first sound that the provider tells of, in frames: 300 ms.
    static let prefix = 300 * RealtimeAudio.sampleRate / 1000
    /// The longest audio of one utterance, in frames: 30 s and what comes before its first sound.
    static let limit = 30 * RealtimeAudio.sampleRate + prefix
    /// How long a sound is held of which the provider has not told, in frames: 45 s, longer than it takes to find out that a peer is
    /// dead which takes everything and says nothing.
    static let heldLimit = 45 * RealtimeAudio.sampleRate
    /// What a held sound may become longer by when it is kept as an utterance, in frames: 10 s, for a reconnect.
    private static let heldRoom = 10 * RealtimeAudio.sampleRate

    /// What the provider's milliseconds count from: its connection's audio began with a resent stretch and went on live, with silence
    /// left out between stretches.
    private struct Connection {
        /// Stretches whose places are remembered: the provider tells of the newest.
        static let limit = 64

        var resentStart: Int
        var resentFrames: Int
        var liveStart: Int
        /// Where live stretches begin, in frames of the connection and on the tape.
        var stretches: [(sent: Int, position: Int)]
        /// Where the newest one ended; nil while it goes on.
        var end: Int?
    }

    private var samples: [Int16] = []
    /// The position of the first sample on the tape, and of the next captured one.
    private var base = 0
    private(set) var position = 0
    /// Where the utterance under way begins, and up to where there is room for it.
    private var utterance: Int?
    private var utteranceEnd = 0
    /// Where a sound begins of which the provider has not told: from there on everything is on the tape.
    private var held: Int?
    /// Frames of the utterance that found no room; what follows them is not on the tape either.
    private var missing = 0
    private var connection = Connection(
        resentStart: 0, resentFrames: 0, liveStart: 0, stretches: [(0, 0)])
    private var items: [String: [Int16]] = [:]

    init() { samples.reserveCapacity(Self.heldLimit + Self.heldRoom + 2 * Self.window) }

    /// Where the tape ends.
    private var end: Int { base + samples.count }

    /// Whether an utterance is being kept.
    var isKeeping: Bool { utterance != nil }

    /// Where the held sound begins.
    var heldSound: Int? { held }

    /// What is on the tape from a position on, or from its beginning.
    func samples(from start: Int) -> (start: Int, samples: ArraySlice<Int16>) {
        let start = min(max(start, base), end)
        return (start, samples[(start - base)...])
    }

    /// Frames captured since a position that the connection did not get when it began.
    func framesNotResent(since start: Int) -> Int {
        let resentEnd = connection.resentStart + connection.resentFrames
        return connection.liveStart - start - max(0, resentEnd - max(connection.resentStart, start))
    }

    /// Takes captured samples.
    mutating func append(_ block: [Int16]) {
        position += block.count
        guard utterance != nil else {
            samples.append(contentsOf: block)
            if let held, position - held > Self.heldLimit { self.held = nil }
            let first = min(held.map { $0 - Self.prefix } ?? position, position - Self.window)
            if first - base > Self.window { dropFirst(first - base) }
            return
        }
        let room = missing == 0 ? utteranceEnd - end : 0
        if room >= block.count {
            samples.append(contentsOf: block)
        } else {
            samples.append(contentsOf: block.prefix(max(0, room)))
            missing += block.count - max(0, room)
        }
    }

    /// Keeps everything from the beginning of an utterance on: from `startMs` of the connection's audio, and at least the 300 ms before
    /// now. What is told wrongly is harmless: nothing of an earlier utterance is on the tape.
    mutating func keep(startMs: Int?) {
        let told = startMs.map(position(ofMilliseconds:))
        // Speech in a resent utterance is that utterance.
        if let told, utterance != nil, told < connection.resentStart + connection.resentFrames { return }
        keep(from: told ?? position)
    }

    /// Keeps everything from 300 ms before a sound on, as far as it is on the tape.
    mutating func keep(sound: Int) { keep(from: sound - Self.prefix) }

    private mutating func keep(from start: Int) {
        forgetHole()
        let start = max(min(start, position - Self.prefix), base)
        utterance = start
        utteranceEnd = max(start + Self.limit, held == nil ? 0 : position + Self.heldRoom)
        held = nil
        dropFirst(start - base)
    }

    /// Holds a sound that the provider may not have heard, and what follows it: the connection may be dead without anybody knowing.
    mutating func hold(sound: Int) { if utterance == nil, held == nil { held = max(sound, base) } }

    /// The provider has heard the held sound and finds nothing in it.
    mutating func letGo() { held = nil }

    /// The utterance ended, at `endMs` of the connection's audio where that is plausible, and became an item.
    mutating func commit(_ itemID: String, endMs: Int?) {
        guard let start = utterance else { return }
        let told = endMs.map(position(ofMilliseconds:)) ?? end
        let length = told > start && told <= end ? told - start : samples.count
        items[itemID] = Array(samples.prefix(length))
        utterance = nil
        dropFirst(length)
        forgetHole()
    }

    /// Forgets the audio of an item; nil: the utterance under way.
    mutating func forget(_ itemID: String?) {
        guard let itemID else {
            utterance = nil
            forgetHole()
            if samples.count > Self.window { dropFirst(samples.count - Self.window) }
            return
        }
        items[itemID] = nil
    }

    /// Forgets everything.
    mutating func erase() {
        forgetRecent()
        items = [:]
    }

    /// Forgets what was captured before this moment, but for utterances that are items.
    mutating func forgetRecent() {
        samples.removeAll(keepingCapacity: true)
        base = position
        utterance = nil
        held = nil
        missing = 0
    }

    /// The audio of an item.
    func audio(of itemID: String) -> [Int16]? { items[itemID] }

    /// A connection begins to take audio: first the utterance under way, if it is to be sent again, or else a sound that began a
    /// moment ago, with what comes before it; then what is captured from now on.
    mutating func beginConnection(resending: Bool, sound: Int? = nil) -> ArraySlice<Int16> {
        let first = resending && utterance != nil ? utterance : sound.map { $0 - Self.prefix }
        let resent = first.map(samples(from:)) ?? (start: position, samples: [])
        let sent = resent.samples.count
        connection = Connection(
            resentStart: resent.start, resentFrames: sent, liveStart: position, stretches: [(sent, position)])
        return resent.samples
    }

    /// The block captured last, and what follows, is silence that the connection does not get.
    mutating func leaveOut(_ count: Int) {
        if connection.end == nil { connection.end = position - count }
    }

    /// The connection gets the block captured last, and with it what was left out directly before: at most `preRoll` frames.
    mutating func goOn(with count: Int, preRoll: Int) -> ArraySlice<Int16> {
        guard let end = connection.end, let last = connection.stretches.last else {
            return samples(from: position - count).samples
        }
        let next = samples(from: max(end, position - count - preRoll))
        connection.end = nil
        connection.stretches.append((last.sent + end - last.position, next.start))
        if connection.stretches.count > Connection.limit { connection.stretches.removeFirst() }
        return next.samples
    }

    private func position(ofMilliseconds milliseconds: Int) -> Int {
        // What a peer claims is limited to a year, so that no product overflows.
        let frame = min(max(milliseconds, 0), 1 << 35) * (RealtimeAudio.sampleRate / 1000)
        guard frame >= connection.resentFrames, let stretch = connection.stretches.last(where: { $0.sent <= frame })
        else { return connection.resentStart + frame }
        return stretch.position + frame - stretch.sent
    }

    private mutating func dropFirst(_ count: Int) {
        samples.removeFirst(count)
        base += count
    }

    /// What follows a hole is not on the tape: it begins anew.
    private mutating func forgetHole() {
        guard missing > 0 else { return }
        missing = 0
        samples.removeAll(keepingCapacity: true)
        base = position
    }
}
