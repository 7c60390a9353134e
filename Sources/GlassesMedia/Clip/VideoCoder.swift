import Foundation
import GlassesDomain

/// Codes the pictures of a clip, all of one size.
protocol VideoCoder: AnyObject {
    /// Pixels of a coded picture.
    var width: Int { get }
    /// Pixels of a coded picture.
    var height: Int { get }
    /// How it codes; known once a picture is coded.
    var coding: VideoCoding? { get }
    /// Codes a frame that is shown `milliseconds` after the first one; `isKey` asks for one that stands alone.
    func encode(_ frame: CameraFrame, milliseconds: Int64, isKey: Bool) throws(MediaError) -> CodedPicture
}

/// A coded picture.
struct CodedPicture: Equatable {
    var bytes: [UInt8]
    /// Whether it can be decoded alone.
    var isKey: Bool
}

/// A JPEG file for each picture; those of a camera are kept as they are.
final class MotionJPEGCoder: VideoCoder {
    let width: Int
    let height: Int
    let coding: VideoCoding? = .motionJPEG
    private let pictures: TurboPictureCoder

    /// Good pictures at a tenth of their size.
    private static let quality = 80

    init(width: Int, height: Int, pictures: TurboPictureCoder) {
        self.width = width
        self.height = height
        self.pictures = pictures
    }

    func encode(_ frame: CameraFrame, milliseconds: Int64, isKey: Bool) throws(MediaError) -> CodedPicture {
        // The turn is in the file's own header.
        var upright = frame
        upright.rotation = 0
        let file = try pictures.jpeg(upright, quality: Self.quality, takenAt: nil).file
        return CodedPicture(bytes: [UInt8](file), isKey: true)
    }
}
