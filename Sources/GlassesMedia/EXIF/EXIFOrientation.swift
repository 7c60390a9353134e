/// EXIF's numbers for how a picture is turned.
enum EXIFOrientation {
    /// The number for clockwise degrees that turn the picture upright.
    static func number(for rotation: Int) -> Int {
        switch rotation {
        case 90: 6
        case 180: 3
        case 270: 8
        default: 1
        }
    }

    /// The clockwise degrees that turn the picture upright. Mirrored pictures are turned, too, but stay mirrored.
    static func rotation(of number: Int) -> Int {
        switch number {
        case 3, 4: 180
        case 5, 8: 270
        case 6, 7: 90
        default: 0
        }
    }
}
