import Foundation
import GlassesPluginKit
import MWDATCamera

extension PhotoData {
    /// Pixels across and down, from the file's own header.
    ///
    /// A HEIC file does not begin with its size: what the camera's description says stands for it.
    func size() throws(PluginFailure) -> (width: Int, height: Int) {
        switch format {
        case .heic: return (CameraModes.stillWidth, CameraModes.stillHeight)
        case .jpeg:
            guard let size = data.withUnsafeBytes(JPEGHeader.size) else { throw .brokenPhoto }
            return size
        }
    }
}

/// The beginning of a JPEG file.
enum JPEGHeader {
    /// The size in the first frame header; nil where there is none.
    static func size(_ file: UnsafeRawBufferPointer) -> (width: Int, height: Int)? {
        guard file.count > 4, file[0] == 0xFF, file[1] == 0xD8 else { return nil }
        var at = 2
        // Each segment before the pixels: FF, its kind, and its length.
        while at + 9 < file.count, file[at] == 0xFF {
            let kind = file[at + 1]
            let length = Int(file[at + 2]) << 8 | Int(file[at + 3])
            if isFrame(kind) {
                let height = Int(file[at + 5]) << 8 | Int(file[at + 6])
                let width = Int(file[at + 7]) << 8 | Int(file[at + 8])
                return width > 0 && height > 0 ? (width, height) : nil
            }
            guard length >= 2 else { return nil }
            at += 2 + length
        }
        return nil
    }

    /// SOF0 to SOF15 without the three kinds among them that are tables.
    private static func isFrame(_ kind: UInt8) -> Bool {
        (0xC0...0xCF).contains(kind) && ![0xC4, 0xC8, 0xCC].contains(kind)
    }
}

extension PluginFailure {
    fileprivate static let brokenPhoto = PluginFailure.failed(
        "photo_broken", "The glasses' photo cannot be read. Take it again.")
}
