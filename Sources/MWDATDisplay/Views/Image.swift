import MWDATImage

/// A picture.
public struct Image: ViewComponent {
    /// What the picture consists of.
    public var element: ViewElement

    /// Shows the picture at `uri`, an `http` or `https` address of at most 2,048 bytes, which the glasses load themselves.
    public init(uri: String, sizePreset: ImageSize = .fill, cornerRadius: CornerRadius = .none) {
        element = ViewElement(.image(DisplayImage(uri: uri, size: sizePreset, cornerRadius: cornerRadius)))
    }

    /// Shows `image`, which travels with the view: it is made to fit the panel and coded when the view is sent. Transparent parts
    /// show what is behind them.
    public init(image: UIImage, sizePreset: ImageSize = .fill, cornerRadius: CornerRadius = .none) {
        self.init(uri: "", sizePreset: sizePreset, cornerRadius: cornerRadius)
        element.picture = image
    }
}
