import CGlassesPlugin
import GlassesPluginKit
import MWDATCore

extension PluginFailure {
    static let disconnected = PluginFailure.wrongState("The glasses are not connected. Connect them first.")
    static let noSession = PluginFailure(
        GLASSES_ERROR_TIMEOUT, code: "no_session", message: "The glasses did not open a session. Try again.")
    static let paused = PluginFailure.busy(
        "stream_paused", "The wearer paused the glasses. Tap the right temple to go on.")
    static let noDevice = PluginFailure.unavailable(
        "no_device_available", "No glasses can be reached. Switch them on, unfold them and bring them near.")
    static let noLink = PluginFailure.unavailable(
        "no_device_available",
        "There is no way to glasses. Enable a mock device kit, or name its socket with the setting mockLink.")
    static let notRegistered = PluginFailure(
        GLASSES_ERROR_DENIED, code: "registration_required",
        message: "The app is not registered with the glasses' companion. Register it first.")

    /// A refusal of the toolkit, in its own words, with the code that the host knows.
    init(_ refusal: Refusal) {
        let (result, code): (Int, String) =
            switch refusal.check {
            case .hinges: (GLASSES_ERROR_UNAVAILABLE, "hinges_closed")
            case .thermal: (GLASSES_ERROR_UNAVAILABLE, "thermal_critical")
            case .permission: (GLASSES_ERROR_DENIED, "permission_denied")
            case .trust: (GLASSES_ERROR_DENIED, "registration_required")
            case .occupied: (GLASSES_ERROR_BUSY, "occupied")
            case .timeout: (GLASSES_ERROR_TIMEOUT, "timeout")
            case .worn: (GLASSES_ERROR_UNAVAILABLE, "not_worn")
            case .battery: (GLASSES_ERROR_UNAVAILABLE, "battery_empty")
            case .peakPower: (GLASSES_ERROR_UNAVAILABLE, "power_limit")
            case .link, .power, .notFound: (GLASSES_ERROR_UNAVAILABLE, "device_unreachable")
            case .companion, .network: (GLASSES_ERROR_UNAVAILABLE, "no_companion")
            case .endedByDevice: (GLASSES_ERROR_FAILED, "ended_by_device")
            case .compatibility, .configuration, .glassesApp, .sdkVersion, .resources, .media, .transport:
                (GLASSES_ERROR_FAILED, refusal.check.rawValue)
            }
        self.init(result, code: code, message: refusal.message)
    }
}
