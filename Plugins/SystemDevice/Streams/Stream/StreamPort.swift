import CGlassesPlugin
import GlassesPluginKit
import Glibc

/// One end of the device: the microphone or the loudspeaker, and the ALSA PCM behind it.
package struct StreamPort: Equatable, Sendable {
    var direction: StreamDirection
    /// The PCM's name, as the app gave it or in its stable form.
    package var device: String

    /// The microphone on the PCM called `device`.
    package static func microphone(_ device: String) -> StreamPort { StreamPort(direction: .capture, device: device) }
    /// The loudspeaker on the PCM called `device`.
    package static func speaker(_ device: String) -> StreamPort { StreamPort(direction: .playback, device: device) }

    /// What a person calls it.
    var noun: String { direction == .capture ? "microphone" : "speaker" }

    /// The host's form of `failure`: which device, what is wrong, what to do.
    func failure(_ failure: StreamFailure) -> PluginFailure {
        let it = "The \(noun) \"\(device)\""
        let list = "Run `glasses devices` to see the devices that this system has"
        switch failure.kind {
        case .missing:
            return .unavailable("device_missing", "\(it) was not found. \(list), or plug it in.")
        case .busy:
            return .busy(
                "device_busy", "\(it) is in use by another program. Close that program, or choose another device.")
        case .denied:
            return PluginFailure(
                GLASSES_ERROR_DENIED, code: "device_denied",
                message: "\(it) may not be opened by this user. Add the user to the group `audio`, then log in again.")
        case .unreachable:
            return .unavailable(
                "sound_server_unreachable",
                "The sound server of \(it.lowercasedFirst) does not run. Start it, or choose another device.")
        case .unsupported:
            return PluginFailure(
                GLASSES_ERROR_UNSUPPORTED, code: "unsupported_format",
                message: "\(it) cannot be used at 48 kHz, 16 bits, mono, not even by conversion. \(list).")
        case .timedOut, .hung:
            return PluginFailure(
                GLASSES_ERROR_TIMEOUT, code: "device_timeout",
                message:
                    "\(it) does not answer. Its sound server may hang: restart that server, or choose another device.")
        case .stalled:
            return .failed("device_stalled", "\(it) has stopped moving audio. It is opened again by itself.")
        case .xrunStorm:
            return .failed("device_overrun", "\(it) cannot keep up. Close other programs, or choose a longer buffer.")
        case .failed:
            return .failed(
                "device_failed",
                "\(it) failed: \(Self.reason(failure.code)). Check that it is plugged in and that its sound server has it. "
                    + "\(list).")
        }
    }

    /// The system's words for a negative errno value.
    private static func reason(_ code: Int32) -> String {
        code == 0 ? "no reason given" : String(cString: strerror(-code))
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
