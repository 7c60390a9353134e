import MWDATCamera
import MWDATCore

func startAndStop(_ stream: Stream, _ deviceSession: DeviceSession) {
    // BLOCK
}
