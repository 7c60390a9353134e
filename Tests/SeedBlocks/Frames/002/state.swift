import MWDATCamera
import MWDATCore

func listenToState(_ stream: Stream) -> any AnyListenerToken {
    // BLOCK
    return stateToken
}
