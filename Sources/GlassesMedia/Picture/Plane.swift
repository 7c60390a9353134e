import CPixels
import GlassesDomain

/// One plane of a picture: rows of bytes without gaps.
struct Plane: Equatable {
    var bytes: [UInt8]
    var width: Int
    var height: Int

    /// A plane that `fill` writes whole.
    init(width: Int, height: Int, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        self.width = width
        self.height = height
        bytes = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            if let start = buffer.baseAddress { fill(start) }
            count = width * height
        }
    }

    /// A plane of one shade.
    init(width: Int, height: Int, shade: UInt8) {
        self.width = width
        self.height = height
        bytes = [UInt8](repeating: shade, count: width * height)
    }

    /// The plane with its last column and row repeated, or without them.
    func resized(width newWidth: Int, height newHeight: Int) -> Plane {
        guard newWidth != width || newHeight != height else { return self }
        return transformed(width: newWidth, height: newHeight) { from, to in
            cpixels_copy(from, width, width, height, to, newWidth, newHeight)
        }
    }

    /// The plane scaled to a size; each new pixel is the mean of what it covers.
    func scaled(width newWidth: Int, height newHeight: Int) throws(MediaError) -> Plane {
        guard newWidth != width || newHeight != height else { return self }
        var isDone = false
        let plane = transformed(width: newWidth, height: newHeight) { from, to in
            isDone = cpixels_scale(from, width, height, to, newWidth, newHeight) == 0
        }
        guard isDone else { throw MediaError.outOfMemory }
        return plane
    }

    /// The plane turned clockwise by `quarters` (0–3) of a circle.
    func turned(quarters: Int) -> Plane {
        guard quarters != 0 else { return self }
        let isUpright = quarters == 2
        return transformed(width: isUpright ? width : height, height: isUpright ? height : width) { from, to in
            cpixels_turn(from, width, height, 1, Int32(quarters), to)
        }
    }

    /// The means of two rows each.
    func withHalvedRows() -> Plane {
        transformed(width: width, height: (height + 1) / 2) { from, to in
            cpixels_halve_rows(from, width, height, to)
        }
    }

    /// Changes the bytes in place.
    mutating func map(_ change: (UnsafeMutablePointer<UInt8>, Int) -> Void) {
        bytes.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { change(start, buffer.count) }
        }
    }

    private func transformed(
        width: Int, height: Int, _ change: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
    ) -> Plane {
        bytes.withUnsafeBufferPointer { source in
            Plane(width: width, height: height) { target in
                if let start = source.baseAddress { change(start, target) }
            }
        }
    }
}

extension MediaError {
    static let outOfMemory = MediaError.coderFailed(
        code: "out_of_memory", message: "There is no memory for the picture. Free some, or take smaller pictures.")
}
