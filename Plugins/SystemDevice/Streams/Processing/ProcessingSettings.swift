import GlassesPluginKit

/// What is done to the microphone's audio before the host gets it.
package struct ProcessingSettings: Equatable, Sendable {
    /// How much of the noise is taken away.
    package enum NoiseSuppression: String, CaseIterable, Sendable {
        case off, low, moderate, high
    }

    /// Whether the loudspeaker's echo is taken out.
    package var cancelsEcho: Bool
    /// How much noise is taken out.
    package var noiseSuppression: NoiseSuppression
    /// Whether speech is brought to one level.
    package var hasAutomaticGain: Bool
    /// A fixed gain in dB, applied last.
    package var gain: Int

    /// Settings that by default change nothing.
    package init(
        cancelsEcho: Bool = false, noiseSuppression: NoiseSuppression = .off, hasAutomaticGain: Bool = false,
        gain: Int = 0
    ) {
        self.cancelsEcho = cancelsEcho
        self.noiseSuppression = noiseSuppression
        self.hasAutomaticGain = hasAutomaticGain
        self.gain = gain
    }

    /// Whether nothing is done at all, so that no processing is needed.
    package var isIdle: Bool { !needsLibrary && gain == 0 }
    /// Whether the library is needed.
    package var needsLibrary: Bool { cancelsEcho || noiseSuppression != .off || hasAutomaticGain }

    /// Why this machine cannot do it; nil when it can.
    package func refusal() -> PluginFailure? {
        guard needsLibrary else { return nil }
        do throws(AudioProcessor.Failure) {
            _ = try AudioProcessor(self)
            return nil
        } catch {
            return error.pluginFailure
        }
    }
}
