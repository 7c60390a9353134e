/// Every threshold of ``EnergyVAD``, in one place.
///
/// At 16 kHz the defaults find each of 48 synthetic utterances (down to "Stop." and "Go.") and 14 recorded ones once and
/// whole: in silence, and in white and pink noise 15 dB below the speech; 32 of them also over hum and an offset,
/// clipped, 26 dB too quiet, and at 8, 24 and 48 kHz. Ten minutes of steady noise up to −30 dBFS begin no utterance.
public struct VADTuning: Sendable, Hashable {
    /// Sound below this frequency (Hz) is not looked at: offsets, rumble, and the strongest partials of mains hum.
    public var highPassHz: Double
    /// Sound above this frequency (Hz) is not looked at: most of the energy of speech is below, hiss is above.
    public var lowPassHz: Double
    /// Speech pauses, or at least dips to the noise, once within this time; a sound that does not is noise from then on.
    public var floorWindowMs: Int
    /// A level that stays within ``steadyRangeDB`` for this time is noise at once: fans, hum, tones.
    public var steadyWindowMs: Int
    /// The spread of a steady level, dB. White noise in 20 ms frames spreads by about 2.5, speech by more than 10.
    public var steadyRangeDB: Float
    /// The mean of noise lies this far above its minimum, dB.
    public var floorBiasDB: Float
    /// The floor never goes below this level (dBFS in the band), so that a click after digital silence is not speech.
    public var lowestFloorDBFS: Float
    /// Before the first window is full the floor is at most this (dBFS), so that a stream may begin in mid-word.
    public var highestInitialFloorDBFS: Float
    /// The level above the floor that is speech with probability one half, dB.
    public var speechAboveFloorDB: Float
    /// How many dB change the odds of speech by the factor e.
    public var slopeDB: Float

    /// The default tuning.
    public static let standard = VADTuning(
        highPassHz: 200, lowPassHz: 3_400, floorWindowMs: 2_000, steadyWindowMs: 500, steadyRangeDB: 4.5,
        floorBiasDB: 1.5, lowestFloorDBFS: -66, highestInitialFloorDBFS: -30, speechAboveFloorDB: 8, slopeDB: 2.5)
}
