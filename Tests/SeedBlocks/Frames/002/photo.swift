import MWDATCamera
import MWDATCore

func takePhoto(_ stream: Stream) -> any AnyListenerToken {
    // BLOCK
    return photoToken
}
