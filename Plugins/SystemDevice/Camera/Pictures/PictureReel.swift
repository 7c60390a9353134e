import Glibc
import GlassesPluginKit

/// Where one picture lies.
struct PicturePlace: Sendable, Hashable {
    /// Which of the reel's files.
    var file: Int
    /// Bytes before it in the file.
    var offset: Int
    /// Its bytes.
    var length: Int
}

/// The pictures of a path in their order, by their size: the JPEG files of a folder by name, or those within one file.
struct PictureReel: Sendable {
    /// More than five minutes at 30 a second; what comes after is left out, and said.
    static let pictureLimit = 10_000
    /// Sizes that are offered; with all rates of each they are within the host's 512 modes.
    static let sizeLimit = 16
    /// Bytes that are read of a file at once while it is searched.
    private static let portion = 1 << 20

    struct Size: Sendable, Hashable {
        var width: Int
        var height: Int
    }

    private(set) var files: [String] = []
    /// In the order in which the sizes appear first.
    private(set) var sizes: [Size] = []
    private(set) var pictures: [Size: [PicturePlace]] = [:]
    /// Files and pictures that were left out: no JPEG, unreadable, too many.
    private(set) var skipped = 0
    private var count = 0

    /// Looks at everything in `path`.
    init(_ path: String) throws(PluginFailure) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .pictureUnreadable(path, errno) }
        if facts.st_mode & S_IFMT == S_IFDIR {
            for name in try Self.pictureNames(path) { addPicture(path + "/" + name) }
        } else {
            try addAll(of: PictureFile(path))
        }
        guard !pictures.isEmpty else { throw .noPictures(path) }
    }

    private static func pictureNames(_ folder: String) throws(PluginFailure) -> [String] {
        guard let listing = opendir(folder) else { throw .pictureUnreadable(folder, errno) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let ending = name.lowercased()
            if !name.hasPrefix("."), ending.hasSuffix(".jpg") || ending.hasSuffix(".jpeg") { names.append(name) }
        }
        return names.sorted()
    }

    /// Adds a file of a folder as one picture; one that is none is passed over.
    private mutating func addPicture(_ path: String) {
        do throws(PluginFailure) {
            let file = try PictureFile(path)
            guard file.count <= PictureFile.longestPicture else { return skipped += 1 }
            let bytes = try file.read(file.count, at: 0)
            let (length, size) = bytes.withUnsafeBytes { (JPEGFile.wholeLength($0), JPEGFile.size($0)) }
            guard let length, let size else { return skipped += 1 }
            files.append(path)
            add(
                Size(width: size.width, height: size.height),
                PicturePlace(file: files.count - 1, offset: 0, length: length))
        } catch {
            skipped += 1
        }
    }

    /// Adds every picture of one file, which may have other bytes between them.
    private mutating func addAll(of file: PictureFile) throws(PluginFailure) {
        files = [file.path]
        var (window, start): ([UInt8], Int) = ([], 0)
        var position = 0
        while true {
            let found = window.withUnsafeBytes { Self.next($0, from: position) }
            if let (offset, length, size) = found {
                if let size {
                    add(size, PicturePlace(file: 0, offset: start + offset, length: length))
                } else {
                    skipped += 1
                }
                position = offset + length
                continue
            }
            guard start + window.count < file.count, window.count - position <= PictureFile.longestPicture else {
                break
            }
            window.removeFirst(position)
            (start, position) = (start + position, 0)
            window += try file.read(Self.portion, at: start + window.count)
        }
    }

    /// The first whole picture in `bytes` from `position` on, with its size if it says one.
    private static func next(
        _ bytes: UnsafeRawBufferPointer, from position: Int
    ) -> (offset: Int, length: Int, size: Size?)? {
        var offset = position
        while offset + 3 < bytes.count {
            if bytes[offset] == 0xFF, bytes[offset + 1] == 0xD8, bytes[offset + 2] == 0xFF {
                let picture = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                guard let length = JPEGFile.length(picture) else { return nil }
                return (offset, length, JPEGFile.size(picture).map { Size(width: $0.width, height: $0.height) })
            }
            offset += 1
        }
        return nil
    }

    private mutating func add(_ size: Size, _ place: PicturePlace) {
        let isKnown = pictures[size] != nil
        guard count < Self.pictureLimit, isKnown || sizes.count < Self.sizeLimit, size.width <= 8_192,
            size.height <= 8_192
        else { return skipped += 1 }
        if !isKnown { sizes.append(size) }
        pictures[size, default: []].append(place)
        count += 1
    }
}
