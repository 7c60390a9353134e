import CWebRTCAudio
import GlassesPluginKit

/// A processor of libwebrtc-audio-processing. Belongs to one thread at a time, which must not be an [audio] thread: the
/// library locks.
final class AudioProcessor {
    /// Why there is no processor.
    enum Failure: Error, Equatable {
        /// The library is not installed, or is another version.
        case libraryMissing
        case outOfMemory
        case refused
    }

    private let handle: OpaquePointer
    /// What the library holds back, in nanoseconds.
    let latency: Int64

    /// The delays of the library at 48 kHz, in samples: of its split into bands, its echo canceller and its noise
    /// suppressor. Measured by correlation; the test of this class measures them again.
    private static let bandDelay = 45
    private static let echoDelay = 336
    private static let noiseDelay = 288

    /// A processor with `settings`, from the library of that file name.
    init(_ settings: ProcessingSettings, library: String = CWEBRTC_LIBRARY) throws(Failure) {
        let level: UInt8 =
            switch settings.noiseSuppression {
            case .off: 0
            case .low: 1
            case .moderate: 2
            case .high: 3
            }
        var wanted = cwebrtc_settings(
            sample_rate: UInt32(StreamFormat.rate), echo_cancellation: settings.cancelsEcho ? 1 : 0,
            noise_suppression: level, automatic_gain: settings.hasAutomaticGain ? 1 : 0, reserved: 0)
        var made: OpaquePointer?
        let result = cwebrtc_create(library, &wanted, &made)
        guard let made, result == CWEBRTC_OK else {
            switch result {
            case CWEBRTC_LIBRARY_MISSING, CWEBRTC_LIBRARY_INCOMPATIBLE: throw .libraryMissing
            case CWEBRTC_OUT_OF_MEMORY: throw .outOfMemory
            default: throw .refused
            }
        }
        handle = made
        let held =
            Self.bandDelay + (settings.cancelsEcho ? Self.echoDelay : 0)
            + (settings.noiseSuppression == .off ? 0 : Self.noiseDelay)
        latency = StreamFormat.nanoseconds(frames: held)
    }

    deinit { cwebrtc_destroy(handle) }

    /// Processes a frame of the microphone in place. `delay` milliseconds after `reference` its echo is expected. False
    /// when the library refused, and then the frame is as it was.
    func process(
        _ microphone: UnsafeMutablePointer<Int16>, reference: UnsafePointer<Int16>, delay: Int
    ) -> Bool {
        cwebrtc_process(handle, reference, microphone, Int32(clamping: delay)) == CWEBRTC_OK
    }
}

extension AudioProcessor.Failure {
    /// The host's form.
    var pluginFailure: PluginFailure {
        switch self {
        case .libraryMissing:
            .unavailable(
                "audio_processing_missing",
                "The library for echo cancellation and noise suppression is not installed. Install Debian's package "
                    + "libwebrtc-audio-processing1, or switch both off.")
        case .outOfMemory:
            .failed("out_of_memory", "There is no memory for the microphone's processing. Close other programs.")
        case .refused:
            .failed("audio_processing_failed", "The library for echo cancellation refused its settings.")
        }
    }
}
