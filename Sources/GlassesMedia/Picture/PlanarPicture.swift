import CPixels
import GlassesDomain

/// A decoded picture in 4:2:0. Its planes are of even size, with an odd last column or row repeated; their colours are BT.601's.
struct PlanarPicture: Equatable {
    /// Which values black and white have.
    enum Range { case video, full }

    /// Pixels that count.
    var width: Int
    /// Pixels that count.
    var height: Int
    var range: Range
    var luma: Plane
    var blue: Plane
    var red: Plane

    /// A picture of planes that have at least its size; they are brought to even sizes.
    init(width: Int, height: Int, range: Range, luma: Plane, blue: Plane, red: Plane) {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        self.width = width
        self.height = height
        self.range = range
        self.luma = luma.resized(width: 2 * halfWidth, height: 2 * halfHeight)
        self.blue = blue.resized(width: halfWidth, height: halfHeight)
        self.red = red.resized(width: halfWidth, height: halfHeight)
    }

    /// The picture with values of another range.
    func converted(to wanted: Range) -> PlanarPicture {
        guard wanted != range else { return self }
        var picture = self
        picture.range = wanted
        switch wanted {
        case .full:
            picture.luma.map(cpixels_widen_luma)
            picture.blue.map(cpixels_widen_chroma)
            picture.red.map(cpixels_widen_chroma)
        case .video:
            picture.luma.map(cpixels_narrow_luma)
            picture.blue.map(cpixels_narrow_chroma)
            picture.red.map(cpixels_narrow_chroma)
        }
        return picture
    }

    /// The picture scaled to a size.
    func scaled(width newWidth: Int, height newHeight: Int) throws(MediaError) -> PlanarPicture {
        guard newWidth != width || newHeight != height else { return self }
        let (halfWidth, halfHeight) = ((newWidth + 1) / 2, (newHeight + 1) / 2)
        return PlanarPicture(
            width: newWidth, height: newHeight, range: range,
            luma: try luma.resized(width: width, height: height).scaled(width: newWidth, height: newHeight),
            blue: try blue.scaled(width: halfWidth, height: halfHeight),
            red: try red.scaled(width: halfWidth, height: halfHeight))
    }

    /// The picture turned clockwise by 0, 90, 180 or 270 degrees.
    func turned(by degrees: Int) -> PlanarPicture {
        let quarters = degrees / 90 & 3
        guard quarters != 0 else { return self }
        let isUpright = quarters == 2
        return PlanarPicture(
            width: isUpright ? width : height, height: isUpright ? height : width, range: range,
            luma: luma.resized(width: width, height: height).turned(quarters: quarters),
            blue: blue.turned(quarters: quarters), red: red.turned(quarters: quarters))
    }
}
