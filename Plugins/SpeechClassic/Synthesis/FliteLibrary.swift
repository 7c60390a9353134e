import Glibc
import GlassesPluginKit
import SpeechEngineKit
import Synchronization

/// The functions of Flite 2.2, by their C signatures, and its voices.
struct FliteLibrary: Sendable {
    typealias Pointer = UnsafeMutableRawPointer

    /// Flite keeps its lexicon and voices per process and counts references without atomics: one call at a time in the
    /// whole process. A call lasts for one short piece of text.
    static let processLock = Mutex(())

    private let initialize: @convention(c) @Sendable () -> Int32
    private let setFloat: @convention(c) @Sendable (Pointer, UnsafePointer<UInt8>, Float) -> Void
    private let textToWave: @convention(c) @Sendable (UnsafePointer<CChar>, Pointer) -> Pointer?
    private let deleteWave: @convention(c) @Sendable (Pointer) -> Void
    private let voices: [Voice]

    private struct Voice: @unchecked Sendable {
        // because the voice belongs to its library for the life of the process and is used under processLock
        let facts: FliteVoice
        let pointer: Pointer
    }

    /// `struct cst_voice_struct { const char *name; cst_features *features; … }`.
    private static let featuresOffset = 8
    /// `struct cst_wave_struct { const char *type; int sample_rate, num_samples, num_channels; short *samples; }`.
    private static let rateOffset = 8
    private static let countOffset = 12
    private static let channelsOffset = 16
    private static let samplesOffset = 24

    /// Flite keeps the pointer of a feature's name, so that a name has to live as long as the process.
    private static let stretchKey: StaticString = "duration_stretch"
    private static let pitchKey: StaticString = "int_f0_target_mean"

    private static let remedy = "run Scripts/setup, or: apt-get install libflite1"

    /// Frames per second of every voice offered.
    static let sampleRate = 16_000

    /// Loads the library and the voices. The default voice has to be there; others that are missing are not offered.
    init(folder: String?) throws(PluginFailure) {
        let library = try SharedLibrary(name: "libflite.so.1", folder: folder, remedy: Self.remedy)
        initialize = try library.function("flite_init", as: (@convention(c) @Sendable () -> Int32).self)
        setFloat = try library.function(
            "flite_feat_set_float", as: (@convention(c) @Sendable (Pointer, UnsafePointer<UInt8>, Float) -> Void).self)
        textToWave = try library.function(
            "flite_text_to_wave", as: (@convention(c) @Sendable (UnsafePointer<CChar>, Pointer) -> Pointer?).self)
        deleteWave = try library.function("delete_wave", as: (@convention(c) @Sendable (Pointer) -> Void).self)
        voices = try Self.loadVoices(folder: folder, initialize: initialize)
    }

    /// The voices that are there, the default one first.
    var voiceNames: [String] { voices.map(\.facts.name) }

    private static func loadVoices(
        folder: String?, initialize: @convention(c) @Sendable () -> Int32
    ) throws(PluginFailure) -> [Voice] {
        var voices: [Voice] = []
        var missing: PluginFailure?
        for facts in FliteVoice.all {
            do throws(PluginFailure) {
                voices.append(try load(facts, folder: folder, initialize: initialize))
            } catch {
                if missing == nil { missing = error }
            }
        }
        if let missing, voices.first?.facts != FliteVoice.all.first { throw missing }
        return voices
    }

    private static func load(
        _ facts: FliteVoice, folder: String?, initialize: @convention(c) @Sendable () -> Int32
    ) throws(PluginFailure) -> Voice {
        let library = try SharedLibrary(name: facts.library, folder: folder, remedy: remedy)
        let register = try library.function(
            facts.registration, as: (@convention(c) @Sendable (UnsafePointer<CChar>?) -> Pointer?).self)
        let voice = processLock.withLock { _ -> Voice? in
            // Both answer what is there already when they are called again.
            _ = initialize()
            return register(nil).map { Voice(facts: facts, pointer: $0) }
        }
        guard let voice else {
            throw .failed("voice_unreadable", "The voice \(facts.name) cannot be set up; reinstall libflite1.")
        }
        return voice
    }

    /// Speaks a piece of plain ASCII text; an unknown voice means the first one.
    func speak(_ text: String, voice name: String?, rate: Double, pitch: Double) throws(PluginFailure) -> [Int16] {
        guard let voice = voices.first(where: { $0.facts.name == name }) ?? voices.first else {
            throw .unavailable("voice_missing", "No voice is there; apt-get install libflite1.")
        }
        let samples = Self.processLock.withLock { _ -> [Int16]? in
            let features = voice.pointer.load(fromByteOffset: Self.featuresOffset, as: Pointer?.self)
            if let features {
                setFloat(features, Self.stretchKey.utf8Start, Float(voice.facts.stretch / rate))
                // Half an octave up or down at the ends of the scale.
                setFloat(features, Self.pitchKey.utf8Start, Float(voice.facts.meanPitch * exp2(pitch / 2)))
            }
            guard let wave = textToWave(text, voice.pointer) else { return nil }
            defer { deleteWave(wave) }
            return Self.samples(of: wave)
        }
        guard let samples else {
            throw .failed("synthesis_failed", "Flite could not speak the text; shorten it or leave out rare signs.")
        }
        return samples
    }

    private static func samples(of wave: Pointer) -> [Int16]? {
        let rate = wave.load(fromByteOffset: rateOffset, as: Int32.self)
        let count = wave.load(fromByteOffset: countOffset, as: Int32.self)
        let channels = wave.load(fromByteOffset: channelsOffset, as: Int32.self)
        guard rate == Int32(sampleRate), channels == 1, count >= 0 else { return nil }
        guard let start = wave.load(fromByteOffset: samplesOffset, as: UnsafePointer<Int16>?.self) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
