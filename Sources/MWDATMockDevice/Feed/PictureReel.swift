import Foundation
import Glibc
import MWDATCore

/// The JPEG pictures of a folder by name, or those within one file, in their order.
struct PictureReel: Sendable {
    /// More than five minutes at 30 a second; what comes after is left out.
    static let pictureLimit = 10_000
    /// The largest file that is held in memory.
    static let fileLimit = 512 << 20

    private enum Place: Sendable {
        case file(String)
        case part(Range<Int>)
    }

    private let places: [Place]
    /// The file that holds all of them; empty for a folder.
    private let film: Data

    /// Looks at `path`; nil when it is a file that holds no JPEG pictures, which a decoder may know.
    init?(path: String) throws(Refusal) {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .unreadableFeed("there is no file at this path")
        }
        if isFolder.boolValue {
            places = try Self.pictures(in: path).prefix(Self.pictureLimit).map { .file($0) }
            film = Data()
            guard !places.isEmpty else { throw .unreadableFeed("the folder holds no JPEG pictures") }
            return
        }
        guard try Self.read(path, limit: 3) == Data([0xFF, 0xD8, 0xFF]) else { return nil }
        film = try Self.read(path, limit: Self.fileLimit)
        places = JPEGFilm.pictures(in: film).prefix(Self.pictureLimit).map { .part($0) }
        guard !places.isEmpty else { throw .unreadableFeed("the file holds no whole JPEG picture") }
    }

    var count: Int { places.count }

    /// The file of picture `number`; after the last comes the first.
    func jpeg(_ number: UInt64) throws(Refusal) -> [UInt8] {
        switch places[Int(number % UInt64(places.count))] {
        case .file(let path): [UInt8](try Self.read(path, limit: Self.fileLimit))
        case .part(let range): [UInt8](film[range])
        }
    }

    private static func pictures(in folder: String) throws(Refusal) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
                let ending = name.lowercased()
                return !name.hasPrefix(".") && (ending.hasSuffix(".jpg") || ending.hasSuffix(".jpeg"))
            }.sorted().map { folder + "/" + $0 }
        } catch {
            throw .unreadableFeed("the folder cannot be listed")
        }
    }

    /// Up to `limit` bytes of a file; anything but a regular file might let us wait.
    static func read(_ path: String, limit: Int) throws(Refusal) -> Data {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .unreadableFeed("there is no regular file at this path")
        }
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { handle.closeFile() }
            return try handle.read(upToCount: limit) ?? Data()
        } catch {
            throw .unreadableFeed("a file cannot be opened")
        }
    }
}

/// JPEG files one after another in one file, as Motion JPEG has them.
enum JPEGFilm {
    /// Where they lie, found by their structure, so that a preview inside one does not end it. Other bytes may lie between them.
    static func pictures(in film: Data) -> [Range<Int>] {
        film.withUnsafeBytes { bytes in
            var found: [Range<Int>] = []
            var position = 0
            while let start = begin(bytes, from: position) {
                guard let end = end(bytes, from: start), found.count < PictureReel.pictureLimit else { break }
                found.append(start..<end)
                position = end
            }
            return found
        }
    }

    private static func begin(_ bytes: UnsafeRawBufferPointer, from position: Int) -> Int? {
        var position = position
        while position + 2 < bytes.count {
            if bytes[position] == 0xFF, bytes[position + 1] == 0xD8, bytes[position + 2] == 0xFF { return position }
            position += 1
        }
        return nil
    }

    /// The byte after the picture that begins at `start`; nil when it is not whole.
    private static func end(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var position = start + 2
        var isInScan = false
        while position + 1 < bytes.count {
            guard bytes[position] == 0xFF else {
                // Between segments every byte belongs to one; within a scan they are pixels.
                guard isInScan else { return nil }
                position += 1
                continue
            }
            switch bytes[position + 1] {
            case 0xD9: return position + 2
            case 0xFF: position += 1
            case 0x00, 0xD0...0xD7: position += 2
            case let marker:
                guard position + 3 < bytes.count else { return nil }
                position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
                isInScan = marker == 0xDA
            }
        }
        return nil
    }
}
