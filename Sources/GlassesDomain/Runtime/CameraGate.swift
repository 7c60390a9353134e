/// Whether the user's toggles let the camera be used, for photos, clips and frames alike.
///
/// `privacy_mode` is checked first and closes on an explicit true, `camera_streaming_enabled` closes on an explicit false. Values that
/// are unset or malformed count as open.
public enum CameraGate: Sendable, Hashable {
    case open
    /// Closed by the named toggle.
    case closed(toggle: String)

    /// The gate that follows from `toggles`.
    public init(_ toggles: Toggles) {
        if toggles.values["privacy_mode"] == .bool(true) {
            self = .closed(toggle: "privacy_mode")
        } else if toggles.values["camera_streaming_enabled"] == .bool(false) {
            self = .closed(toggle: "camera_streaming_enabled")
        } else {
            self = .open
        }
    }

    /// Whether the camera may be used.
    public var isOpen: Bool { self == .open }
}

extension Toggles {
    /// Whether the user saves battery: frames are then delivered at a low size and twice a second at most. Only an explicit true does.
    public var isSavingBattery: Bool { values["battery_save_mode"] == .bool(true) }
}
