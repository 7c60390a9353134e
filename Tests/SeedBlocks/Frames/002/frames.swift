import MWDATCamera
import MWDATCore

@MainActor
final class Preview {
    var previewImage: UIImage?

    func listenToFrames(_ stream: Stream) -> any AnyListenerToken {
        // BLOCK
        return frameToken
    }
}
