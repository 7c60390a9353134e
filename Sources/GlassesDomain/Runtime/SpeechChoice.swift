/// Which of the installed speech engines serve: the best of each kind, or one by name with the others behind it.
///
/// Engines are named by their plugin, such as `org.extentos.speech-classic`, or by the engine's own id, which begins with it. One that
/// is not installed or does not work is told in the log, and the best one serves instead.
public struct SpeechChoice: Sendable, Hashable {
    /// The recogniser; nil, the default, for the best.
    public var recognizer: String?
    /// The voice; nil, the default, for the best.
    public var voice: String?
    /// The judge of what is speech; nil, the default, for the best, ``energy`` for none but the level of the sound.
    public var voiceActivity: String?

    /// The judge that needs no engine.
    public static let energy = "energy"
    /// The best of each kind.
    public static let best = SpeechChoice()

    /// A choice.
    public init(recognizer: String? = nil, voice: String? = nil, voiceActivity: String? = nil) {
        self.recognizer = recognizer
        self.voice = voice
        self.voiceActivity = voiceActivity
    }
}
