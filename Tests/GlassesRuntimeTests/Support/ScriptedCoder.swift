import Foundation
import GlassesDomain
import Synchronization

/// A coder that scales as a test tells it, and counts what it was asked.
final class ScriptedCoder: PictureCoder {
    private let scale: @Sendable (_ file: Data, _ longestSide: Int, _ quality: Int) throws(MediaError) -> Data
    private let asked = Mutex<[String]>([])

    init(scale: @escaping @Sendable (Data, Int, Int) throws(MediaError) -> Data) { self.scale = scale }

    /// The sides and qualities that were asked for.
    var steps: [String] { asked.withLock { $0 } }

    func scaled(_ file: Data, longestSide: Int, quality: Int) throws(MediaError) -> EncodedPicture {
        asked.withLock { $0.append("\(longestSide)@\(quality)") }
        return EncodedPicture(file: try scale(file, longestSide, quality), width: longestSide, height: longestSide)
    }

    private static let unused = MediaError.coderFailed(code: "unused", message: "unused")

    func jpeg(_ frame: CameraFrame, quality: Int, takenAt: Date?) throws(MediaError) -> EncodedPicture {
        throw Self.unused
    }
    func packedI420(_ frame: CameraFrame) throws(MediaError) -> CameraFrame { throw Self.unused }
    func facts(of file: Data) throws(MediaError) -> PictureFacts { throw Self.unused }
    func stamped(_ file: Data, rotation: Int, takenAt: Date?) throws(MediaError) -> Data { throw Self.unused }
    func decoded(_ file: Data) throws(MediaError) -> PlatformImage { throw Self.unused }
}
