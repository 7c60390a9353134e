import CPixels
import Foundation
import GlassesDomain
import GlassesMedia
import MWDATCore

/// One picture of a feed.
struct MockPicture: Sendable, Equatable {
    var coding: LinkCoding
    var width: Int
    var height: Int
    var isKeyFrame = true
    /// HEVC's `hvcC` record; empty for I420.
    var parameterSets = Data()
    var bytes: Data

    /// The picture as a link carries it.
    func frame(time: UInt64) -> LinkFrame {
        LinkFrame(
            coding: coding, width: width, height: height, time: time, isKeyFrame: isKeyFrame,
            parameterSets: parameterSets, bytes: bytes)
    }
}

extension MockPicture {
    /// Bytes of a packed I420 picture of even sides.
    static func i420Size(width: Int, height: Int) -> Int { width * height * 3 / 2 }

    /// A JPEG file in a size: its middle, as much of it as has the size's proportions.
    init(jpeg: [UInt8], width: Int, height: Int) throws(Refusal) {
        do throws(MediaError) {
            let frame = CameraFrame(
                bytes: jpeg, format: .jpeg, width: 0, height: 0, rotation: 0, planes: [], time: .zero, number: 0)
            let packed = try TurboPictureCoder().packedI420(frame)
            let decoded = MockPicture(
                coding: .i420, width: packed.width, height: packed.height, bytes: Data(packed.bytes))
            self = try decoded.filling(width: width, height: height)
        } catch {
            throw .unreadablePicture(error)
        }
    }

    /// The middle of an I420 picture, scaled to fill a size; both sides are even.
    func filling(width newWidth: Int, height newHeight: Int) throws(MediaError) -> MockPicture {
        guard newWidth != width || newHeight != height else { return self }
        // The largest part with the new proportions, of even sides and at even places so that chroma stays in step.
        let partWidth = min(width, height * newWidth / newHeight) & ~1
        let partHeight = min(height, width * newHeight / newWidth) & ~1
        guard partWidth > 0, partHeight > 0 else { throw .unsupportedSize(width: width, height: height) }
        let part = Part(
            left: (width - partWidth) / 2 & ~1, top: (height - partHeight) / 2 & ~1, width: partWidth,
            height: partHeight)
        var scaled = Data(count: Self.i420Size(width: newWidth, height: newHeight))
        let isDone = bytes.withUnsafeBytes { source in
            scaled.withUnsafeMutableBytes { target in
                scale(part, source, to: (newWidth, newHeight), target)
            }
        }
        guard isDone else {
            throw .coderFailed(code: "out_of_memory", message: "there is no memory to scale a picture")
        }
        return MockPicture(coding: .i420, width: newWidth, height: newHeight, bytes: scaled)
    }

    /// The picture as a JPEG file.
    func jpeg(quality: Int) throws(MediaError) -> Data {
        let luma = width * height
        let frame = CameraFrame(
            bytes: [UInt8](bytes), format: .i420, width: width, height: height, rotation: 0,
            planes: [
                CameraPlane(offset: 0, stride: width), CameraPlane(offset: luma, stride: width / 2),
                CameraPlane(offset: luma * 5 / 4, stride: width / 2),
            ], time: .zero, number: 0)
        return try TurboPictureCoder().jpeg(frame, quality: quality, takenAt: nil).file
    }

    private struct Part {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
    }

    private func scale(
        _ part: Part, _ source: UnsafeRawBufferPointer, to size: (width: Int, height: Int),
        _ target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let from = source.bindMemory(to: UInt8.self).baseAddress,
            let to = target.bindMemory(to: UInt8.self).baseAddress, source.count >= width * height * 3 / 2
        else { return false }
        let (luma, newLuma) = (width * height, size.width * size.height)
        for plane in 0..<3 {
            let divisor = plane == 0 ? 1 : 2
            let start = plane == 0 ? 0 : luma + (plane - 1) * luma / 4
            let newStart = plane == 0 ? 0 : newLuma + (plane - 1) * newLuma / 4
            let (columns, rows) = (part.width / divisor, part.height / divisor)
            var cut = [UInt8](repeating: 0, count: columns * rows)
            let offset = start + part.top / divisor * (width / divisor) + part.left / divisor
            cpixels_copy(from + offset, width / divisor, columns, rows, &cut, columns, rows)
            let result = cpixels_scale(
                cut, columns, rows, to + newStart, size.width / divisor, size.height / divisor)
            guard result == 0 else { return false }
        }
        return true
    }
}
