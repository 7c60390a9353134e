import GlassesDomain

/// The segments before the picture data of a JPEG file.
enum JPEGSegments {
    /// One segment: its marker, and where it lies with marker and length.
    struct Segment: Equatable {
        var marker: Int
        var range: Range<Int>
    }

    /// SOI and what stands before a segment's content: the marker and the length.
    private static let (beginning, head) = (2, 4)
    private static let exifName: StaticString = "Exif\0\0"
    private static let (application0, application1) = (0xE0, 0xE1)
    /// SOF1, the last kind of frame that has these tables, and DHT.
    private static let (extendedSequential, huffmanTables) = (0xC1, 0xC4)

    /// The segments up to the first scan; nil when one reaches beyond the file or no scan follows.
    static func all(of file: ByteReader) -> [Segment]? {
        var segments: [Segment] = []
        var offset = beginning
        while let first = file.big(offset, 1), first == 0xFF, let marker = file.big(offset + 1, 1) {
            switch marker {
            case 0xFF: offset += 1  // bytes of filling may stand before a marker
            case 0xDA: return segments
            case 0x01, 0xD0...0xD7: offset += 2
            default:
                guard let length = file.big(offset + 2, 2), length >= 2, file.part(offset + 2, length) != nil else {
                    return nil
                }
                segments.append(Segment(marker: marker, range: offset..<(offset + 2 + length)))
                offset += 2 + length
            }
        }
        return nil
    }

    /// What the frame header and EXIF say.
    static func facts(of file: ByteReader) -> PictureFacts? {
        guard let segments = all(of: file), let frame = segments.first(where: { isFrame($0.marker) }),
            let height = file.big(frame.range.lowerBound + 5, 2), let width = file.big(frame.range.lowerBound + 7, 2)
        else { return nil }
        let exif = segments.first { isEXIF($0, of: file) }
        let orientation = exif.flatMap { segment in
            let content = segment.range.lowerBound + head + exifName.utf8CodeUnitCount
            return file.part(content, segment.range.upperBound - content).flatMap(EXIFReader.orientation)
        }
        return PictureFacts(
            mimeType: "image/jpeg", width: width, height: height,
            rotation: EXIFOrientation.rotation(of: orientation ?? 1))
    }

    /// The file with one EXIF segment, after JFIF's, in place of those that it had.
    static func replacingEXIF(of file: [UInt8], with exif: [UInt8]) throws(MediaError) -> [UInt8] {
        let reader = ByteReader(file)
        guard let segments = all(of: reader) else { throw .undecodable(reason: "no picture in the JPEG file") }
        let leading = segments.prefix { $0.marker == application0 }
        var result = Array(file[..<(leading.last?.range.upperBound ?? beginning)])
        result.reserveCapacity(file.count + exif.count)
        result += exif
        var position = result.count - exif.count
        for segment in segments.dropFirst(leading.count) where isEXIF(segment, of: reader) {
            result += file[position..<segment.range.lowerBound]
            position = segment.range.upperBound
        }
        return result + file[position...]
    }

    /// The file with the standard tables, if it is baseline and has none of its own: many cameras leave them out of their frames, and
    /// not every program that opens the photo knows them.
    static func completed(_ file: [UInt8]) throws(MediaError) -> [UInt8] {
        guard let segments = all(of: ByteReader(file)) else {
            throw .undecodable(reason: "no picture in the JPEG file")
        }
        guard !segments.contains(where: { $0.marker == huffmanTables }),
            let frame = segments.first(where: { isFrame($0.marker) }), frame.marker <= extendedSequential
        else { return file }
        return file[..<frame.range.upperBound] + StandardHuffmanTables.segment + file[frame.range.upperBound...]
    }

    /// SOF0–SOF15 without the three numbers among them that are something else.
    private static func isFrame(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    private static func isEXIF(_ segment: Segment, of file: ByteReader) -> Bool {
        segment.marker == application1 && file.has(exifName, at: segment.range.lowerBound + head)
    }
}
