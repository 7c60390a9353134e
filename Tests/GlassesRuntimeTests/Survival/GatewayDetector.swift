/// The detector of speech of a gateway: 100 ms of sound begin an utterance, 500 ms without end it, 300 ms before it belong to it.
struct GatewayDetector {
    enum Finding {
        case started(milliseconds: Int)
        case stopped(milliseconds: Int, audio: [Int16])
    }

    private static let frame = SpokenWords.rate / 50
    private static let (onset, end, padding) = (5, 25, 15)

    var itemID = ""
    /// All frames of the session, judged.
    private var audio: [Int16] = []
    private var judged = 0
    private var loud = 0
    private var quiet = 0
    /// The frame where the utterance begins.
    private var start: Int?

    mutating func process(_ samples: [Int16]) -> [Finding] {
        audio += samples
        var findings: [Finding] = []
        while (judged + 1) * Self.frame <= audio.count {
            let isLoud = isLoud(frame: judged)
            judged += 1
            // The 40 ms between two words do not begin the count anew.
            quiet = isLoud ? 0 : quiet + 1
            loud = isLoud ? loud + 1 : (quiet > 3 ? 0 : loud)
            if let finding = judge() { findings.append(finding) }
        }
        return findings
    }

    /// A few samples tell: the sounds of these tests are no noise.
    private func isLoud(frame: Int) -> Bool {
        stride(from: frame * Self.frame, to: (frame + 1) * Self.frame, by: 7).contains { audio[$0].magnitude > 300 }
    }

    private mutating func judge() -> Finding? {
        guard let start else {
            guard loud >= Self.onset else { return nil }
            let first = max(0, judged - loud - 3 - Self.padding)
            self.start = first
            return .started(milliseconds: first * 20)
        }
        guard quiet >= Self.end else { return nil }
        self.start = nil
        loud = 0
        return .stopped(milliseconds: judged * 20, audio: Array(audio[start * Self.frame..<judged * Self.frame]))
    }
}
