import CPixels

/// Pixels of four bytes each, R, G, B and alpha; row after row without gaps.
struct Pixels {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    /// The pixels turned as a file's EXIF asks.
    func turnedUpright(_ orientation: EXIFOrientation) -> Pixels {
        guard orientation.quarters != 0 else { return self }
        let isUpright = orientation.quarters == 2
        let turned = [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            bytes.withUnsafeBufferPointer { source in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                cpixels_turn(from, width, height, 4, Int32(orientation.quarters), to)
                count = bytes.count
            }
        }
        return Pixels(width: isUpright ? width : height, height: isUpright ? height : width, bytes: turned)
    }
}
