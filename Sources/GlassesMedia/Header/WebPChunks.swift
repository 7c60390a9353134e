import GlassesDomain

/// The chunks of a WebP file.
enum WebPChunks {
    /// The head of the RIFF file, and of each chunk: name and length.
    private static let (riffHead, head) = (12, 8)

    /// What the first chunk and EXIF say.
    static func facts(of file: ByteReader) -> PictureFacts? {
        guard let length = file.little(riffHead + 4, 4), let content = file.rest(from: riffHead + head),
            let size = size(in: content.part(0, min(length, content.count)) ?? content, of: file)
        else { return nil }
        return PictureFacts(
            mimeType: "image/webp", width: size.width, height: size.height,
            rotation: EXIFOrientation.rotation(of: orientation(in: file) ?? 1))
    }

    private static func size(in chunk: ByteReader, of file: ByteReader) -> (width: Int, height: Int)? {
        if file.has("VP8X", at: riffHead), let width = chunk.little(4, 3), let height = chunk.little(7, 3) {
            return (width + 1, height + 1)
        }
        if file.has("VP8L", at: riffHead), chunk.big(0, 1) == 0x2F, let bits = chunk.little(1, 4) {
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        if file.has("VP8 ", at: riffHead), chunk.big(3, 3) == 0x9D012A, let width = chunk.little(6, 2),
            let height = chunk.little(8, 2)
        {
            return (width & 0x3FFF, height & 0x3FFF)
        }
        return nil
    }

    private static func orientation(in file: ByteReader) -> Int? {
        var offset = riffHead
        while let length = file.little(offset + 4, 4), let content = file.part(offset + head, length) {
            if file.has("EXIF", at: offset) {
                // Some writers keep JPEG's name before it.
                let hasName = content.has("Exif\0\0", at: 0)
                return (hasName ? content.rest(from: 6) : content).flatMap(EXIFReader.orientation)
            }
            offset += head + length + length % 2
        }
        return nil
    }
}
