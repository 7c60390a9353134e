import Foundation

/// Music that nobody sings, the same in every run.
public enum Music {
    /// A scale up and down, four times, as a plucked string plays it: 10 s.
    public static func melody() -> [Int16] {
        let steps = [0, 2, 4, 5, 7, 5, 4, 2]
        return sound((0..<32).map { ([steps[$0 % 8] + 12], 0.3, 4_000, 3) })
    }

    /// Eight chords: 10 s.
    public static func chords() -> [Int16] {
        let chords = [[0, 4, 7], [5, 9, 12], [7, 11, 14], [0, 4, 7]]
        return sound((0..<8).map { (chords[$0 % 4], 1.2, 2_000, 1) })
    }

    /// A tone with the vibrato of a voice, which goes up and down: 6 s.
    public static func hummed() -> [Int16] {
        [220.0, 247, 262, 294, 330, 294, 262].flatMap { pitch in
            (0..<12_800).map { index in
                let time = Double(index) / 16_000
                let phase = 2 * .pi * (pitch * time + 0.3 * sin(2 * .pi * 5.5 * time))
                return Int16(3_000 * (1...7).reduce(0) { $0 + sin(phase * Double($1)) / Double($1) })
            }
        }
    }

    /// The melody over the chords.
    public static func mixed() -> [Int16] {
        zip(melody(), chords()).map { Int16(clamping: Int($0) + Int($1)) }
    }

    /// Notes, in semitones above A3, for so many seconds, so loud, fading so fast.
    private static func sound(_ events: [(notes: [Int], seconds: Double, amplitude: Double, fading: Double)]) -> [Int16]
    {
        events.flatMap { event in
            (0..<Int(event.seconds * 16_000)).map { index in
                let time = Double(index) / 16_000
                let waves = event.notes.reduce(0) { sum, note in
                    let phase = 2 * .pi * 220 * pow(2, Double(note) / 12) * time
                    return (1...5).reduce(sum) { $0 + sin(phase * Double($1)) / Double($1) }
                }
                let level = event.amplitude * exp(-event.fading * time) * min(1, time * 100)
                return Int16(max(-32_768, min(32_767, level * waves)))
            }
        }
    }
}
