import Foundation

/// A decoded picture: what `UIImage` is elsewhere.
public struct PlatformImage: Sendable, Hashable {
    /// Pixels from left to right, as a person sees the picture.
    public let width: Int
    /// Pixels from top to bottom.
    public let height: Int
    /// `width` · `height` pixels of four bytes, R, G, B and A, row by row from the top; the picture is upright.
    public let rgba: Data

    /// A picture; nil unless `rgba` has four bytes for each of at least one pixel.
    public init?(width: Int, height: Int, rgba: Data) {
        let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !isTooLarge, rgba.count % 4 == 0, rgba.count / 4 == pixels else { return nil }
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}
