import CGlassesPlugin

/// The size of a packed I420 picture, both sides even.
struct I420Size: Sendable, Hashable {
    var width: Int
    var height: Int

    /// All planes.
    var bytes: Int { width * height * 3 / 2 }

    /// Y, U and V: where each begins and how large it is.
    var planes: [(offset: Int, width: Int, height: Int)] {
        let (luma, half) = (width * height, (width / 2, height / 2))
        return [(0, width, height), (luma, half.0, half.1), (luma + half.0 * half.1, half.0, half.1)]
    }
}

/// Copies a picture into one of another size: a narrow link makes the glasses' pictures smaller, and the host's stream has one size.
enum I420Scaling {
    /// Writes `source` into the beginning of `target`, each pixel from the nearest one. Both hold whole pictures.
    static func copy(
        _ source: UnsafeRawBufferPointer, _ from: I420Size, to target: UnsafeMutableRawBufferPointer, _ size: I420Size
    ) {
        guard from != size else {
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<size.bytes]))
            return
        }
        for (old, new) in zip(from.planes, size.planes) {
            for row in 0..<new.height {
                let line = old.offset + row * old.height / new.height * old.width
                let start = new.offset + row * new.width
                for column in 0..<new.width {
                    target[start + column] = source[line + column * old.width / new.width]
                }
            }
        }
    }
}
