import GlassesDomain

extension PictureFacts {
    /// What the header of a JPEG, PNG, WebP or HEIC file says.
    init(of file: [UInt8]) throws(MediaError) {
        let reader = ByteReader(file)
        let facts: PictureFacts?
        let format: String
        if reader.big(0, 2) == 0xFFD8 {
            (format, facts) = ("JPEG", JPEGSegments.facts(of: reader))
        } else if reader.big(0, 4) == 0x8950_4E47, reader.big(4, 4) == 0x0D0A_1A0A {
            (format, facts) = ("PNG", PNGChunks.facts(of: reader))
        } else if reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) {
            (format, facts) = ("WebP", WebPChunks.facts(of: reader))
        } else if reader.has("ftyp", at: 4) {
            (format, facts) = ("HEIC", HEICBoxes.facts(of: reader))
        } else {
            throw .undecodable(reason: "neither JPEG nor PNG, WebP or HEIC")
        }
        guard let facts else { throw .undecodable(reason: "the header of the \(format) file is damaged or unknown") }
        // What a `Photo` can say.
        guard facts.width > 0, facts.height > 0, max(facts.width, facts.height) <= Int(Int32.max) else {
            throw .unsupportedSize(width: facts.width, height: facts.height)
        }
        self = facts
    }
}
