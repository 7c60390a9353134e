/// Headers of picture files, written by hand.
enum HeaderFiles {
    static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(number >> (8 * (count - 1 - $0)) & 0xFF) }
    }

    static func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

    static func png(width: Int, height: Int, exif: [UInt8]? = nil) -> [UInt8] {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            big(content.count, 4) + Array(name.utf8) + content + [0, 0, 0, 0]
        }
        let head = chunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0])
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + head + (exif.map { chunk("eXIf", $0) } ?? [])
            + chunk("IEND", [])
    }

    static func webP(_ name: String, _ content: [UInt8], then rest: [UInt8] = []) -> [UInt8] {
        let chunks = Array(name.utf8) + little(content.count, 4) + content + rest
        return Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(name.utf8) + content
    }

    /// A HEIC file whose primary item 2 has the second size and, with `turn`, a rotation; item 1 has another size.
    static func heic(width: Int, height: Int, turn: Int? = nil, brand: String = "heic") -> [UInt8] {
        let sizes = [(320, 240), (width, height)].map { box("ispe", [0, 0, 0, 0] + big($0.0, 4) + big($0.1, 4)) }
        let turns = turn.map { box("irot", [UInt8($0)]) } ?? []
        let own: [UInt8] = turn == nil ? [1, 0x82] : [2, 0x82, 3]
        let links = [0, 0, 0, 0] + big(2, 4) + big(1, 2) + [1, 1] + big(2, 2) + own
        let properties = box("iprp", box("ipco", sizes.flatMap(\.self) + turns) + box("ipma", links))
        return box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1".utf8))
            + box("meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 2]) + properties)
    }
}
