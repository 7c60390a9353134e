/// A video on the whole panel; it can only be a view's root.
///
/// The glasses load it themselves: an MP4 of at most 400 pixels a side and 70,000 in all, one at a time.
public struct VideoPlayer: DisplayableView {
    /// Where a video comes from.
    public enum Provider: Sendable, Hashable {
        /// An `http` or `https` address of at most 2,048 bytes.
        case uri(String)
    }

    /// What the player consists of.
    public var element: ViewElement

    /// Plays the video of `provider` from its beginning; `onError` runs on the toolkit's own queue when it cannot be played.
    public init(provider: Provider, codec: VideoCodec = .mp4, onError: (@Sendable (VideoError) -> Void)? = nil) {
        switch provider {
        case .uri(let address): element = ViewElement(.video(DisplayVideo(uri: address, codec: codec)))
        }
        element.onVideoError = onError
    }
}
