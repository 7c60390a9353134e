import GlassesDomain

/// In a trace a picture is its size and a hash of it: enough to be told apart, and nothing that could be looked at.
extension SessionPicture: Codable {
    private enum CodingKeys: String, CodingKey { case bytes, hash }

    /// Stands in front of the hash in the place of a picture that comes from a trace.
    private static let mark = "traced:"

    /// The place of a traced picture: as long as the picture was, so that every rule about sizes gives the same result.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let size = try container.decode(Int.self, forKey: .bytes)
        let text = Self.mark + (try container.decode(String.self, forKey: .hash))
        guard (0...TraceLimits.pictureBytes).contains(size) else {
            throw DecodingError.dataCorruptedError(
                forKey: .bytes, in: container, debugDescription: "no picture has \(size) bytes")
        }
        self.init(url: String(text.prefix(size)) + String(repeating: "-", count: max(0, size - text.utf8.count)))
    }

    /// Encodes the size and the hash.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size, forKey: .bytes)
        try container.encode(hash, forKey: .hash)
    }

    private var hash: String {
        guard url.hasPrefix(Self.mark) else { return TraceHash.text(of: url.utf8) }
        return String(url.dropFirst(Self.mark.count).prefix(TraceHash.length))
    }
}
