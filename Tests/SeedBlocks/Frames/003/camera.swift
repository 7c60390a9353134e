import MWDATCamera
import MWDATCore

func addCamera(_ session: DeviceSession, use: (Camera, any AnyListenerToken) -> Void) throws {
    // BLOCK
    use(camera, token)
}
