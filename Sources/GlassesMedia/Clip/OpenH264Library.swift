import COpenH264
import Foundation
import GlassesDomain
import Glibc

/// openh264, opened at run time: clips do without it where it is missing.
final class OpenH264Library: Sendable {
    let create: @convention(c) (UnsafeMutablePointer<UnsafeMutablePointer<ISVCEncoder?>?>) -> Int32
    let destroy: @convention(c) (UnsafeMutablePointer<ISVCEncoder?>) -> Void

    /// The library whose structures `COpenH264` describes.
    static let name = "libopenh264.so.7"

    /// Opens a library; fails when it is missing, or of another version than the header.
    init(named name: String = OpenH264Library.name) throws(MediaError) {
        // Never closed: its threads and exit handlers are its own.
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw Self.missing(String(cString: dlerror())) }
        guard let create = dlsym(handle, "WelsCreateSVCEncoder"), let destroy = dlsym(handle, "WelsDestroySVCEncoder"),
            let version = dlsym(handle, "WelsGetCodecVersionEx")
        else { throw Self.missing("\(name) is not openh264") }
        self.create = unsafeBitCast(create, to: copenh264_create.self)
        self.destroy = unsafeBitCast(destroy, to: copenh264_destroy.self)
        var found = OpenH264Version()
        unsafeBitCast(version, to: copenh264_version.self)(&found)
        // Structures change with the minor number.
        guard found.uMajor == OPENH264_MAJOR, found.uMinor == OPENH264_MINOR else {
            throw Self.missing(
                "\(name) is version \(found.uMajor).\(found.uMinor), not \(OPENH264_MAJOR).\(OPENH264_MINOR)")
        }
    }

    private static func missing(_ reason: String) -> MediaError {
        .coderFailed(code: "openh264_missing", message: "\(reason). Install libopenh264-7 for H.264.")
    }
}
