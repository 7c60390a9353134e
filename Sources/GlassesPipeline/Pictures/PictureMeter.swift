import Foundation
import GlassesDomain
import GlassesRealtime

/// What can be said of a picture without recognising anything in it.
enum PictureMeasure: Equatable, Sendable {
    /// Its upright size, and how bright it is on the average, 0 (black) to 1 (white); nil where that cannot be measured.
    case measured(width: Int, height: Int, brightness: Double?)
    /// It is no whole picture.
    case damaged
    /// There is nothing to measure it by, or it was forgotten.
    case unmeasured
}

/// Measures pictures by decoding them. Works on the calling thread, for some tens of milliseconds a picture.
struct PictureMeter: Sendable {
    let coder: (any PictureCoder)?

    /// Brightness is an average, for which few pixels are enough.
    private static let longestSide = 64
    private static let quality = 90

    func measure(_ picture: BrainPicture) -> PictureMeasure {
        guard let coder, !picture.url.isEmpty else { return .unmeasured }
        guard let file = PictureDataURL.file(of: picture.url) else { return .damaged }
        do throws(MediaError) {
            let facts = try coder.facts(of: file)
            let isTurned = facts.rotation % 180 != 0
            return .measured(
                width: isTurned ? facts.height : facts.width, height: isTurned ? facts.width : facts.height,
                brightness: facts.mimeType == "image/jpeg" ? try brightness(of: file, by: coder) : nil)
        } catch {
            switch error {
            case .undecodable: return .damaged
            case .unsupportedSize, .writeFailed, .coderFailed: return .unmeasured
            }
        }
    }

    private func brightness(of file: Data, by coder: any PictureCoder) throws(MediaError) -> Double {
        let small = try coder.scaled(file, longestSide: Self.longestSide, quality: Self.quality)
        return Self.brightness(of: try coder.decoded(small.file))
    }

    /// The average of the pixels' luma (BT.601), 0–1.
    static func brightness(of image: PlatformImage) -> Double {
        var sum = 0
        for pixel in stride(from: image.rgba.startIndex, to: image.rgba.endIndex, by: 4) {
            let (red, green, blue) = (image.rgba[pixel], image.rgba[pixel + 1], image.rgba[pixel + 2])
            sum += 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
        }
        return Double(sum) / Double(image.width * image.height * 1_000 * 255)
    }
}
