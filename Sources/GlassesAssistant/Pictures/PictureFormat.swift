/// The formats of picture files, told by their first bytes: names and declared types are often wrong.
public enum PictureFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case heic = "image/heic"

    /// The type for a data URL.
    public var mimeType: String { rawValue }

    /// The format of a file by its bytes; nil when it is none of these.
    public init?(file: some RandomAccessCollection<UInt8>) {
        let head = Array(file.prefix(12))
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.count == 12, head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WEBP".utf8) {
            self = .webp
        } else if head.count == 12, head[4..<8].elementsEqual("ftyp".utf8),
            Self.heifBrands.contains(String(decoding: head[8...], as: UTF8.self))
        {
            self = .heic
        } else {
            return nil
        }
    }

    private static let heifBrands: Set<String> = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
}
