import MWDATCamera

/// A picture as lines of characters, dark to bright.
enum TerminalPicture {
    private static let shades = Array(" .:-=+*#%@")

    /// The picture in at most `columns` × `rows` characters, which are about twice as high as wide.
    static func lines(of image: UIImage, columns: Int = 48, rows: Int = 28) -> [String] {
        let scale = max(Double(image.width) / Double(columns), Double(image.height) / Double(2 * rows))
        let width = max(1, Int(Double(image.width) / scale))
        let height = max(1, Int(Double(image.height) / scale / 2))
        return (0..<height).map { row in
            String(
                (0..<width).map { column in
                    shade(of: image, x: column * image.width / width, y: row * image.height / height)
                })
        }
    }

    private static func shade(of image: UIImage, x: Int, y: Int) -> Character {
        let pixel = 4 * (y * image.width + x)
        let (red, green, blue) = (Int(image.rgba[pixel]), Int(image.rgba[pixel + 1]), Int(image.rgba[pixel + 2]))
        // BT.601's weights, which add up to 256.
        let brightness = (77 * red + 150 * green + 29 * blue) / 256
        return shades[brightness * (shades.count - 1) / 255]
    }
}
