import CGlassesPlugin
import Glibc
import GlassesPluginKit

extension PluginFailure {
    /// A failed call to the driver of `camera`, in words that tell what to do.
    init(_ error: V4L2Error, camera: String) {
        switch error.number {
        case EACCES, EPERM: self = .cameraDenied(camera)
        case EBUSY:
            self = .busy("camera_busy", "\(camera) is in use by another program. Close that and try again.")
        case ENODEV, ENXIO, ENOENT, ESHUTDOWN: self = .cameraLost(camera)
        case ENOMEM, ENOSPC:
            self = .failed(
                "camera_no_memory",
                "\(camera) could not \(error.attempt): memory or USB bandwidth is used up. Choose a smaller picture, or "
                    + "use another port.")
        default:
            let reason = String(cString: strerror(error.number))
            self = .failed("camera_error", "\(camera) could not \(error.attempt): \(reason). Plug it in again.")
        }
    }

    static func cameraDenied(_ camera: String) -> PluginFailure {
        PluginFailure(
            GLASSES_ERROR_DENIED, code: "camera_denied",
            message: "\(camera) may not be used. Add your user to the group video and log in again, and see whether "
                + "'glasses plugins show org.extentos.system-device' grants the camera.")
    }

    static func cameraLost(_ camera: String) -> PluginFailure {
        .unavailable("camera_lost", "\(camera) was unplugged. Plug it in and start it again.")
    }

    static func cameraNotFound(_ name: String) -> PluginFailure {
        .unavailable(
            "camera_not_found",
            "There is no camera \"\(name)\". Plug it in, or choose one that 'glasses devices' lists.")
    }

    /// The system lets this user in, but not this process: the node is younger than the child that the plugin runs in.
    static func cameraOutOfReach(_ camera: String) -> PluginFailure {
        .unavailable(
            "camera_out_of_reach",
            "\(camera) was plugged in after the connection was made, and is reached after the next one. Connect again.")
    }

    static func cameraSilent(_ camera: String) -> PluginFailure {
        .failed("camera_no_pictures", "\(camera) delivers no pictures. Plug it in again, or choose another mode.")
    }

    static func cameraStalled(_ camera: String) -> PluginFailure {
        .failed(
            "camera_stalled", "\(camera) stopped delivering pictures. Start it again; if that fails, plug it in again.")
    }

    static func cameraModeRefused(_ camera: String) -> PluginFailure {
        .failed("camera_mode_refused", "\(camera) does not deliver the mode that it offers. Choose another one.")
    }
}
