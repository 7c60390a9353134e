/// Keeps of an utterance's sound what is speech, and cuts it into parts that the model can take.
///
/// Silence is where the model makes words up: "You" for noise, "Thank you." after a long speech. So only speech is kept, with a
/// short margin, and what memory holds is bounded by the length of a part.
struct SpeechCollector: Sendable, Hashable {
    /// The speech of the part that is still open.
    private(set) var part: [Float] = []
    /// Whether each window of ``part`` is speech, or margin.
    private var marks: [Bool] = []
    /// The latest silence that is not in ``part``.
    private var lead: [[Float]] = []
    private var silentWindows = 0

    static let windowFrames = SpeechDetector.windowFrames
    /// Kept before speech, 320 ms: the detector is sure of a soft beginning only after it.
    private static let leadWindows = 10
    /// Kept after speech, 192 ms.
    private static let tailWindows = 6
    /// After 96 ms without speech, on top of the detector's hang-over, it is a pause.
    private static let pauseWindows = 3
    /// From here on a part ends at the next pause, after 10 s: what a partial text costs grows with it.
    private static let pauseCutWindows = 312
    /// Here it ends in any case, after 16 s. The model takes 40 s and more, but twice as long takes 60 MB more.
    private static let cutWindows = 500
    /// The quietest moment of the last 3 s is where it is cut then, most likely between two words.
    private static let searchedWindows = 94

    /// Whether nothing of the open part is kept yet.
    var isEmpty: Bool { part.isEmpty }
    /// Whether the speech of the open part has just ended.
    var isAtPause: Bool { !part.isEmpty && silentWindows >= Self.pauseWindows }
    /// Windows of speech in the open part.
    var spokenWindows: Int { marks.count { $0 } }
    /// All windows in the open part, without its margins.
    var spannedWindows: Int {
        guard let first = marks.firstIndex(of: true), let last = marks.lastIndex(of: true) else { return 0 }
        return last - first + 1
    }

    /// Adds a window; true when the open part is complete and has to be taken with ``takePart()``.
    mutating func add(_ window: [Float], isSpeech: Bool) -> Bool {
        if isSpeech {
            for silence in lead { append(silence, isSpeech: false) }
            lead.removeAll(keepingCapacity: true)
            append(window, isSpeech: true)
            silentWindows = 0
        } else {
            silentWindows += 1
            if !part.isEmpty, silentWindows <= Self.tailWindows {
                append(window, isSpeech: false)
            } else {
                lead.append(window)
                if lead.count > Self.leadWindows { lead.removeFirst() }
            }
        }
        return marks.count >= Self.cutWindows
            || (marks.count >= Self.pauseCutWindows && silentWindows >= Self.tailWindows)
    }

    /// Ends the open part and gives it out; in the middle of speech all but the sound after its quietest moment.
    mutating func takePart() -> SpeechCollector {
        var taken = self
        taken.lead = []
        part = []
        marks = []
        guard silentWindows < Self.tailWindows, taken.marks.count >= Self.cutWindows else { return taken }
        let cut = taken.quietestWindow
        part = Array(taken.part[(cut * Self.windowFrames)...])
        marks = Array(taken.marks[cut...])
        taken.part.removeLast(part.count)
        taken.marks.removeLast(marks.count)
        return taken
    }

    private mutating func append(_ window: [Float], isSpeech: Bool) {
        part += window
        marks.append(isSpeech)
    }

    private var quietestWindow: Int {
        let first = marks.count - Self.searchedWindows
        let energies = (first..<marks.count).map { window in
            part[(window * Self.windowFrames)..<((window + 1) * Self.windowFrames)].reduce(0) { $0 + $1 * $1 }
        }
        let least = energies.indices.min { energies[$0] < energies[$1] } ?? 0
        return first + least
    }
}
