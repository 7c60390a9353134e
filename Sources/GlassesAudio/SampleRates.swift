/// The sample rates that this module works with, in frames per second.
public enum SampleRates {
    /// From narrow-band telephony to the fastest sound cards.
    public static let supported = 8_000...192_000

    /// Throws ``AudioFormatError/unsupportedSampleRate(_:)`` for a rate outside ``supported``.
    static func check(_ rate: Int) throws(AudioFormatError) {
        guard supported.contains(rate) else { throw .unsupportedSampleRate(rate) }
    }
}
