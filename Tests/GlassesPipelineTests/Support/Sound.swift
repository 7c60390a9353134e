/// Test audio at 24 kHz.
enum Sound {
    static func silence(ms: Int) -> [Int16] { [Int16](repeating: 0, count: ms * 24) }

    /// A voice-like sound: a buzz of 150 Hz in syllables of changing loudness.
    static func speech(ms: Int) -> [Int16] {
        (0..<ms * 24).map { index in
            let syllable = index / 4_800
            let loudness = index % 4_800 < 3_600 ? 4_000 + 2_500 * (syllable % 3) : 300
            let buzz = Double(index % 160) / 80 - 1
            return Int16(Double(loudness) * buzz)
        }
    }
}
