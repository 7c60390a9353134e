/// A voice of the package libflite1 that speaks general English at 16 kHz.
struct FliteVoice: Sendable, Hashable {
    /// The name that apps use.
    let name: String
    /// The voice's own mean pitch in hertz, as its library has it.
    let meanPitch: Double
    /// The voice's own stretch of durations.
    let stretch: Double

    var library: String { "libflite_\(name).so.1" }
    var registration: String { "register_\(name)" }

    /// All voices, the default one first.
    static let all = [
        FliteVoice(name: "cmu_us_slt", meanPitch: 172, stretch: 1),
        FliteVoice(name: "cmu_us_rms", meanPitch: 98, stretch: 1),
        FliteVoice(name: "cmu_us_awb", meanPitch: 132, stretch: 1),
        FliteVoice(name: "cmu_us_kal16", meanPitch: 95, stretch: 1.1),
    ]
}
