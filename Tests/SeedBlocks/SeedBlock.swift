import CDigest
import Foundation

/// One Swift block of the documents that the project was created from, as `blocks.json` lists it. Its text is not kept here.
struct SeedBlock: Decodable, Sendable {
    /// The document's file name.
    var document: String
    /// Its first and its last line, counted from 1.
    var lines: [Int]
    /// The SHA-256 of those lines, joined by line feeds, in hexadecimal digits.
    var sha256: String
    /// The file in `Frames` that it belongs into; nil when it cannot compile yet.
    var frame: String?
    /// The changes that it needs to be valid Swift here.
    var changes: SeedChanges?
    /// A program that will compile as soon as what the block needs is there.
    var lacks: String?

    /// The blocks in the order of the documents.
    static func all() throws -> [SeedBlock] {
        try JSONDecoder().decode(
            [SeedBlock].self, from: Data(contentsOf: Seeds.home.appendingPathComponent("blocks.json")))
    }

    /// The block's text; nil when the document has fewer lines.
    func text(in document: String) -> String? {
        let all = document.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2, lines[0] >= 1, lines[0] <= lines[1], lines[1] <= all.count else { return nil }
        return all[(lines[0] - 1)..<lines[1]].joined(separator: "\n")
    }

    /// The SHA-256 of `text` in hexadecimal digits.
    static func digest(_ text: String) -> String {
        var digest = cdigest_sha256()
        cdigest_sha256_begin(&digest)
        let bytes = Array(text.utf8)
        cdigest_sha256_add(&digest, bytes, bytes.count)
        var hash = [UInt8](repeating: 0, count: 32)
        cdigest_sha256_end(&digest, &hash)
        return hash.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

/// Where everything is.
enum Seeds {
    /// This folder.
    static let home = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The frames that the blocks belong into.
    static let frames = home.appendingPathComponent("Frames")

    /// The folder with the documents: `EXTENTOS_SEEDS`, or beside the checkout.
    static let documents: URL = {
        if let path = ProcessInfo.processInfo.environment["EXTENTOS_SEEDS"] { return URL(fileURLWithPath: path) }
        return home.appendingPathComponent("../../../shared/seeds").standardizedFileURL
    }()

    /// Whether the documents are here.
    static let areThere = FileManager.default.fileExists(atPath: documents.path)

    /// The text of the document with this file name.
    static func document(_ name: String) throws -> String {
        try String(contentsOf: documents.appendingPathComponent(name), encoding: .utf8)
    }
}
