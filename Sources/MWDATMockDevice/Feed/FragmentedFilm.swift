import Foundation
import MWDATCore

/// Takes access units out of a fragmented MP4 stream with one sample in each fragment. Hostile bytes only give a refusal.
struct FragmentedFilm {
    /// The largest box that is read: more than any access unit.
    static let boxLimit = 16 << 20

    private var bytes = Data()
    private var parameterSets = Data()
    private var size = (width: 0, height: 0)

    /// Takes more of the stream in.
    mutating func append(_ piece: Data) { bytes.append(piece) }

    /// The next access unit; nil when it has not come wholly.
    mutating func next() throws(Refusal) -> MockPicture? {
        while let box = try takeBox() {
            switch box.type {
            case "moov": try readHeader(box.body)
            case "mdat":
                guard !parameterSets.isEmpty, !box.body.isEmpty else { continue }
                return MockPicture(
                    coding: .hvc1, width: size.width, height: size.height,
                    isKeyFrame: Self.isKeyFrame(box.body), parameterSets: parameterSets, bytes: box.body)
            default: continue
            }
        }
        return nil
    }

    private mutating func takeBox() throws(Refusal) -> (type: String, body: Data)? {
        guard bytes.count >= 8 else { return nil }
        let length = Int(Self.number(bytes, at: 0))
        guard (8...Self.boxLimit).contains(length) else { throw .unreadableFeed("the decoder wrote no MP4") }
        guard bytes.count >= length else { return nil }
        let body = Data(bytes.dropFirst(8).prefix(length - 8))
        let type = Self.type(bytes, at: 4)
        bytes = Data(bytes.dropFirst(length))
        return (type, body)
    }

    /// Finds the record of parameter sets and the size, deep in the movie's header.
    private mutating func readHeader(_ moov: Data) throws(Refusal) {
        var body = moov
        for (type, skipped) in [("trak", 0), ("mdia", 0), ("minf", 0), ("stbl", 0), ("stsd", 8)] {
            guard let inner = Self.child(type, of: body) else { throw .unreadableFeed("it has no video") }
            body = Data(inner.dropFirst(skipped))
        }
        // A sample entry has 78 bytes before its boxes, the size at 24.
        guard let entry = Self.child("hvc1", of: body), entry.count > 78 else {
            throw .unreadableFeed("its video is not HEVC; streams with the codec hvc1 need HEVC")
        }
        size = (Int(Self.number(entry, at: 24) >> 16), Int(Self.number(entry, at: 24) & 0xFFFF))
        guard let record = Self.child("hvcC", of: Data(entry.dropFirst(78))) else {
            throw .unreadableFeed("its video has no parameter sets")
        }
        parameterSets = record
    }

    /// The first box of that type within `body`.
    private static func child(_ wanted: String, of body: Data) -> Data? {
        let body = Data(body)
        var position = 0
        while position + 8 <= body.count {
            let length = Int(number(body, at: position))
            guard length >= 8, position + length <= body.count else { return nil }
            if type(body, at: position + 4) == wanted { return Data(body[position + 8..<position + length]) }
            position += length
        }
        return nil
    }

    /// Whether an access unit of length-prefixed units holds one that can be decoded alone (types 16 to 23).
    private static func isKeyFrame(_ unit: Data) -> Bool {
        var position = 0
        while position + 5 <= unit.count {
            let length = Int(number(unit, at: position))
            let type = unit[unit.startIndex + position + 4] >> 1 & 0x3F
            if (16...23).contains(type) { return true }
            position += 4 + length
        }
        return false
    }

    private static func number(_ data: Data, at offset: Int) -> UInt32 {
        let start = data.startIndex + offset
        return data[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func type(_ data: Data, at offset: Int) -> String {
        let start = data.startIndex + offset
        return String(decoding: data[start..<start + 4], as: UTF8.self)
    }
}
