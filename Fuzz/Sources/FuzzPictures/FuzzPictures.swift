import Foundation
import GlassesDomain
import GlassesMedia

// Invariant: any bytes are a picture or a typed error; what is taken for a JPEG file keeps its size and turn through every function,
// and no function reads or writes beyond its memory.

/// Small enough that a header cannot make a run slow: 256 × 256 pixels.
private let coder = TurboPictureCoder(maximumPixels: 1 << 16, timeZone: .gmt)

private func attempt<Value>(_ body: () throws(MediaError) -> Value) -> Value? {
    do throws(MediaError) { return try body() } catch { return nil }
}

private func frame(_ bytes: [UInt8], _ format: CameraPixelFormat, planes: [CameraPlane], width: Int, height: Int)
    -> CameraFrame
{
    CameraFrame(
        bytes: bytes, format: format, width: width, height: height, rotation: 0, planes: planes, time: .zero, number: 0)
}

/// A file that decodes: its stamped and its scaled sisters do, too.
private func checkPicture(_ file: Data, side: Int) {
    guard let image = attempt({ () throws(MediaError) in try coder.decoded(file) }) else { return }
    guard let turned = attempt({ () throws(MediaError) in try coder.stamped(file, rotation: 90, takenAt: nil) }),
        let facts = attempt({ () throws(MediaError) in try coder.facts(of: turned) }), facts.rotation == 90,
        let again = attempt({ () throws(MediaError) in try coder.decoded(turned) }),
        again.width * again.height == image.width * image.height
    else { fatalError("a stamp changes the picture") }
    guard let scaled = attempt({ () throws(MediaError) in try coder.scaled(file, longestSide: side, quality: 50) })
    else {
        return  // colours of print decode to pixels and are not scaled
    }
    guard
        max(scaled.width, scaled.height) <= max(side, 1)
            || max(scaled.width, scaled.height) == max(image.width, image.height),
        let small = attempt({ () throws(MediaError) in try coder.facts(of: scaled.file) }), small.rotation == 0,
        small.width == scaled.width, small.height == scaled.height
    else { fatalError("a scaled picture is not what it says") }
}

/// One input of the fuzzer; a broken invariant ends the process.
@c(LLVMFuzzerTestOneInput)
public func fuzzPictures(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    guard size >= 4 else { return 0 }
    let input = UnsafeBufferPointer(start: data, count: size)
    let bytes = Array(input)
    let file = Data(bytes)
    if let facts = attempt({ () throws(MediaError) in try coder.facts(of: file) }) {
        guard facts.width > 0, facts.height > 0, [0, 90, 180, 270].contains(facts.rotation) else {
            fatalError("facts that cannot be")
        }
    }
    // The last bytes choose, so that files keep their beginnings.
    let (side, shape, offset) = (Int(input[size - 1]) + 1, input[size - 2], Int(input[size - 3]))
    checkPicture(file, side: side)
    _ = attempt { () throws(MediaError) in
        try coder.jpeg(
            frame(bytes, .jpeg, planes: [], width: 8, height: 8), quality: 50, takenAt: Date(timeIntervalSince1970: 0))
    }
    let formats: [CameraPixelFormat] = [.i420, .nv12, .yuyv, .jpeg]
    let planes = (0..<Int(shape >> 2 & 3)).map { CameraPlane(offset: $0 * side, stride: offset + Int(shape >> 4)) }
    let raw = frame(bytes, formats[Int(shape & 3)], planes: planes, width: offset, height: side)
    if let packed = attempt({ () throws(MediaError) in try coder.packedI420(raw) }) {
        guard packed.bytes.count == packed.width * packed.height * 3 / 2 else {
            fatalError("a frame that is not packed")
        }
    }
    return 0
}
