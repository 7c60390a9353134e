import Foundation
import GlassesDomain
@_spi(ExtentosTools) import GlassesRuntime

extension Photo {
    /// The largest file that is read: more than any camera's photo.
    private static let loadLimit = 64 << 20

    /// The decoded picture, upright; nil when the file is gone, damaged, larger than 64 MiB, or not a JPEG file.
    ///
    /// Takes `file:` and `data:` URLs. Reads and decodes on the runtime's threads, 5–300 ms by size.
    public func loadImage() async -> PlatformImage? {
        guard let uri else { return nil }
        return await withTaskExecutorPreference(RuntimeThreads.shared) {
            do {
                guard let file = try Self.contents(of: uri) else { return nil }
                return try LiveMedia.pictures.decoded(file)
            } catch {
                return nil  // Whatever it is, there is no picture: the documented answer.
            }
        }
    }

    private static func contents(of uri: String) throws -> Data? {
        if uri.lowercased().hasPrefix("data:") { return inline(uri) }
        guard let url = URL(string: uri), url.isFileURL else { return nil }
        let facts = try FileManager.default.attributesOfItem(atPath: url.path)
        guard facts[.type] as? FileAttributeType == .typeRegular, let size = facts[.size] as? Int, size <= loadLimit
        else {
            return nil
        }
        return try Data(contentsOf: url)
    }

    /// `data:[type][;base64],…`; the type is not believed, the bytes tell.
    private static func inline(_ uri: String) -> Data? {
        guard uri.utf8.count <= loadLimit * 4 / 3 + 256, let comma = uri.firstIndex(of: ",") else { return nil }
        let body = String(uri[uri.index(after: comma)...])
        if uri[..<comma].lowercased().hasSuffix(";base64") { return Data(base64Encoded: body) }
        return body.removingPercentEncoding.map { Data($0.utf8) }
    }
}
