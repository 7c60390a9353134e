/// The list of an engine's files: a line `SHA256 BYTES MTIME NAME` for each, where MTIME is in nanoseconds since 1970.
struct EngineManifest: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        /// SHA-256 in lower-case hexadecimal digits.
        var digest: String
        var size: Int64
        var modified: Int64
    }

    /// By file name; lines that are no entries are left out.
    let entries: [String: Entry]

    init(_ text: String) {
        var entries: [String: Entry] = [:]
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 3)
            guard fields.count == 4, let size = Int64(fields[1]), let modified = Int64(fields[2]) else { continue }
            entries[String(fields[3])] = Entry(digest: String(fields[0]), size: size, modified: modified)
        }
        self.entries = entries
    }
}
