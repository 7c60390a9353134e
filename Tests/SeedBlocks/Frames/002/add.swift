import MWDATCamera
import MWDATCore

func addStream(_ deviceSession: DeviceSession, use: (Stream) -> Void) throws {
    // BLOCK
    use(stream)
}
