import Foundation

/// Speech for a test: every word is a sound of its own, so that whoever is given the audio can say exactly which words are in it,
/// and whether each of them is whole.
enum SpokenWords {
    static let rate = 24_000
    /// 200 ms a word and 40 ms between words, in samples.
    static let wordLength = rate / 5
    static let pauseLength = rate / 25

    /// The sound of a text.
    static func samples(of text: String) -> [Int16] {
        var samples: [Int16] = []
        for word in text.split(separator: " ") {
            samples += sound(of: String(word))
            samples += [Int16](repeating: 0, count: pauseLength)
        }
        return samples
    }

    /// The words of some audio, of which only `vocabulary` is known; `#` stands for a sound that is no whole word.
    static func words(in audio: [Int16], vocabulary: [String: [Int16]]) -> String {
        var words: [String] = []
        var index = 0
        while index < audio.count {
            guard audio[index] != 0 else {
                index += 1
                continue
            }
            let rest = audio[index...]
            if let word = vocabulary.first(where: { rest.starts(with: $0.value) })?.key {
                words.append(word)
                index += wordLength
            } else {
                words.append("#")
                while index < audio.count, audio[index] != 0 { index += 1 }
            }
        }
        return words.joined(separator: " ")
    }

    /// The sounds of all words of some texts.
    static func vocabulary(of texts: [String]) -> [String: [Int16]] {
        let words = Set(texts.flatMap { $0.split(separator: " ").map(String.init) })
        return Dictionary(uniqueKeysWithValues: words.map { ($0, sound(of: $0)) })
    }

    /// A tone that swells and fades as a syllable does. No sample of it is zero.
    private static func sound(of word: String) -> [Int16] {
        let hash = word.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) % 1_009 }
        return (0..<wordLength).map { index in
            let swell = sin(.pi * (Double(index) + 0.5) / Double(wordLength))
            let wave = sin(2 * .pi * Double(300 + hash) * Double(index) / Double(rate))
            let sample = Int16(8_000 * swell * wave)
            return sample == 0 ? 1 : sample
        }
    }
}
