/// Whether the user's toggles let any microphone sample through.
///
/// `privacy_mode` is checked first and closes on an explicit true, `audio_capture_enabled` closes on an explicit false, and
/// `listening_mode` closes only on the string `off`. Values that are unset or malformed count as open.
public enum MicrophoneGate: Sendable, Hashable {
    case open
    /// Closed by the named toggle.
    case closed(toggle: String)

    /// The gate that follows from `toggles`.
    public init(_ toggles: Toggles) {
        if toggles.values["privacy_mode"] == .bool(true) {
            self = .closed(toggle: "privacy_mode")
        } else if toggles.values["audio_capture_enabled"] == .bool(false) {
            self = .closed(toggle: "audio_capture_enabled")
        } else if toggles.values["listening_mode"] == .string("off") {
            self = .closed(toggle: "listening_mode")
        } else {
            self = .open
        }
    }

    /// Whether samples may pass.
    public var isOpen: Bool { self == .open }
}
