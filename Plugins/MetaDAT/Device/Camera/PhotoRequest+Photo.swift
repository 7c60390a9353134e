import Foundation
import GlassesPluginKit
import MWDATCamera
import MWDATCore

extension PhotoRequest {
    /// Hands a photo over with its real size, which only its file tells.
    func deliver(_ photo: PhotoData) {
        let size: (width: Int, height: Int)
        do throws(PluginFailure) { size = try photo.size() } catch { return fail(error) }
        let format: PhotoFormat = photo.format == .heic ? .heic : .jpeg
        photo.data.withUnsafeBytes { deliver($0, format: format, width: size.width, height: size.height) }
    }
}
