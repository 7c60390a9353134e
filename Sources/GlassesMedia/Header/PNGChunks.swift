import GlassesDomain

/// The chunks of a PNG file.
enum PNGChunks {
    private static let signature = 8
    /// Length and name before a chunk's content, and a checksum after it.
    private static let (head, tail) = (8, 4)

    /// What IHDR and eXIf say.
    static func facts(of file: ByteReader) -> PictureFacts? {
        guard file.big(signature, 4) == 13, file.has("IHDR", at: signature + 4),
            let width = file.big(signature + head, 4), let height = file.big(signature + head + 4, 4)
        else { return nil }
        return PictureFacts(
            mimeType: "image/png", width: width, height: height,
            rotation: EXIFOrientation.rotation(of: orientation(in: file) ?? 1))
    }

    private static func orientation(in file: ByteReader) -> Int? {
        var offset = signature
        while let length = file.big(offset, 4), let content = file.part(offset + head, length) {
            if file.has("eXIf", at: offset + 4) { return EXIFReader.orientation(in: content) }
            offset += head + length + tail
        }
        return nil
    }
}
