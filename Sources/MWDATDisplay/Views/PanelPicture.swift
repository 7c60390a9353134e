import CPixels
import Foundation
import MWDATImage

/// A picture of this machine as it travels in a view's tree: no larger than the panel, and coded.
enum PanelPicture {
    /// JPEG's quality: the panel is small and glows, so that finer steps are not seen.
    private static let quality = 0.85

    /// `image` as a `data:` address: JPEG, or PNG when it is transparent anywhere.
    static func address(of image: UIImage) throws(DisplayError) -> String {
        guard let small = fit(image) else {
            throw .displayError("There is no memory to make the picture smaller. Hand over a smaller one.")
        }
        let isOpaque = stride(from: 3, to: small.rgba.count, by: 4).allSatisfy { small.rgba[$0] == 255 }
        guard let file = isOpaque ? small.jpegData(compressionQuality: quality) : small.pngData() else {
            throw .displayError("The picture could not be coded. Hand over a smaller one.")
        }
        return "\(DisplayImage.dataPrefix)\(isOpaque ? "jpeg" : "png");base64,\(file.base64EncodedString())"
    }

    /// `image` with sides of at most the panel's; nil without memory.
    static func fit(_ image: UIImage) -> UIImage? {
        let longest = max(image.width, image.height)
        guard longest > DisplayLimits.panelSide else { return image }
        let width = max(1, image.width * DisplayLimits.panelSide / longest)
        let height = max(1, image.height * DisplayLimits.panelSide / longest)
        var small = [UInt8](repeating: 0, count: 4 * width * height)
        for (channel, plane) in planes(of: image).enumerated() {
            var scaled = [UInt8](repeating: 0, count: width * height)
            guard cpixels_scale(plane, image.width, image.height, &scaled, width, height) == 0 else { return nil }
            for (pixel, value) in scaled.enumerated() { small[4 * pixel + channel] = value }
        }
        return UIImage(width: width, height: height, rgba: small)
    }

    /// The four channels, each without gaps.
    private static func planes(of image: UIImage) -> [[UInt8]] {
        let pixels = image.width * image.height
        let (redAndBlue, greenAndAlpha) = split(image.rgba, pairs: 2 * pixels)
        let (red, blue) = split(redAndBlue, pairs: pixels)
        let (green, alpha) = split(greenAndAlpha, pairs: pixels)
        return [red, green, blue, alpha]
    }

    private static func split(_ bytes: [UInt8], pairs: Int) -> ([UInt8], [UInt8]) {
        var first = [UInt8](repeating: 0, count: pairs)
        var second = first
        cpixels_split_pairs(bytes, bytes.count, pairs, 1, &first, &second)
        return (first, second)
    }
}
