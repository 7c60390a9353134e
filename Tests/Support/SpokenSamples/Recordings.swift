import Foundation
import GlassesAudio

/// Speech to recognise, with its words.
public struct Recording: Sendable {
    /// Where it comes from.
    public var name: String
    /// What is said, in lower case.
    public var words: String
    /// 16 kHz mono.
    public var samples: [Int16]

    /// A recording with the given values.
    public init(name: String, words: String, samples: [Int16]) {
        self.name = name
        self.words = words
        self.samples = samples
    }
}

/// Speech with known words, made or installed on this machine.
public enum Recordings {
    /// The five commands of the acceptance, 23 words.
    public static let commands = [
        "what do you see", "take a picture", "stop listening", "set a timer for five minutes",
        "remember that my keys are in the kitchen",
    ]

    /// Texts spoken by Festival's HTS voice, a synthesiser unrelated to Flite.
    public static func festival(_ texts: [String] = commands) throws -> [Recording] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("festival-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try texts.enumerated().map { index, words in
            let text = folder.appendingPathComponent("\(index).txt")
            let wav = folder.appendingPathComponent("\(index).wav")
            try words.write(to: text, atomically: true, encoding: .utf8)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/text2wave")
            process.arguments = ["-eval", "(voice_cmu_us_slt_arctic_hts)", "-o", wav.path, text.path]
            try process.run()
            process.waitUntilExit()
            return Recording(name: "festival", words: words, samples: try read(wav.path))
        }
    }

    /// The 14 recordings of Debian's pocketsphinx-testdata. The package has transcripts of the first ten; the words of `goforward`
    /// and `dhd` are in its grammar and its file name. For `something` and `numbers` it has none: the words here have no source
    /// but recognition, so the two show a change rather than an error rate.
    public static func human() throws -> [Recording] {
        let folder = "/usr/share/pocketsphinx/test/data"
        let chapter = "librivox/sense_and_sensibility_01_austen_64kb-0"
        let files: [(String, String)] = [
            ("cards/001.wav", "ten of clubs"), ("cards/002.wav", "four queen of clubs"),
            ("cards/003.wav", "seven of clubs"), ("cards/004.wav", "five five"),
            ("cards/005.wav", "eight of spades four of clubs seven of hearts"),
            (
                "\(chapter)870.wav",
                "and mister john dashwood had then leisure to consider how much there might be prudently in his power to do "
                    + "for them"
            ),
            ("\(chapter)880.wav", "he was not an ill disposed young man"),
            ("\(chapter)890.wav", "unless to be rather cold hearted and rather selfish is to be ill disposed"),
            (
                "\(chapter)920.wav",
                "had he married a more a amiable woman he might have been made still more respectable than he was"
            ),
            ("\(chapter)930.wav", "he might even have been made amiable himself"),
            ("goforward.raw", "go forward ten meters"), ("something.raw", "go somewhere and do something"),
            ("numbers.raw", "thirty three four six ninety two"), ("tidigits/dhd.2934z.raw", "two nine three four zero"),
        ]
        return try files.map { file, words in
            Recording(name: file, words: words, samples: try read("\(folder)/\(file)"))
        }
    }

    /// A file at 16 kHz mono; raw files are that already.
    public static func read(_ path: String) throws -> [Int16] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        if path.hasSuffix(".raw") {
            return stride(from: 0, to: bytes.count - 1, by: 2).map {
                Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
            }
        }
        let audio = try WAVReader.read(bytes)
        guard audio.sampleRate != 16_000 else { return try audio.mono() }
        let resampler = try Resampler(inputRate: audio.sampleRate, outputRate: 16_000)
        return resampler.process(try audio.mono()) + resampler.flush()
    }
}
