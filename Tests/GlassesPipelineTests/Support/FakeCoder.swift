import Foundation
import GlassesDomain

/// A coder of files that hold `FF D8 FF`, a width, a height, a rotation in quarters and a grey, one byte each.
final class FakeCoder: PictureCoder {
    static func file(width: UInt8, height: UInt8, quarters: UInt8 = 0, grey: UInt8) -> Data {
        Data([0xFF, 0xD8, 0xFF, width, height, quarters, grey])
    }

    func facts(of file: Data) throws(MediaError) -> PictureFacts {
        let bytes = [UInt8](file)
        guard bytes.count > 5 else { throw .undecodable(reason: "short") }
        let isJPEG = bytes[0] == 0xFF
        return PictureFacts(
            mimeType: isJPEG ? "image/jpeg" : "image/png", width: Int(bytes[3]), height: Int(bytes[4]),
            rotation: Int(bytes[5]) * 90)
    }

    func scaled(_ file: Data, longestSide: Int, quality: Int) throws(MediaError) -> EncodedPicture {
        guard file.count == 7 else { throw .undecodable(reason: "half") }
        return EncodedPicture(file: file, width: 2, height: 1)
    }

    func decoded(_ file: Data) throws(MediaError) -> PlatformImage {
        let grey = [UInt8](file)[6]
        guard
            let image = PlatformImage(width: 2, height: 1, rgba: Data([grey, grey, grey, 255, grey, grey, grey, 255]))
        else { throw .undecodable(reason: "empty") }
        return image
    }

    func jpeg(_ frame: CameraFrame, quality: Int, takenAt: Date?) throws(MediaError) -> EncodedPicture {
        throw .coderFailed(code: "unused", message: "unused")
    }

    func packedI420(_ frame: CameraFrame) throws(MediaError) -> CameraFrame { frame }

    func stamped(_ file: Data, rotation: Int, takenAt: Date?) throws(MediaError) -> Data { file }
}
