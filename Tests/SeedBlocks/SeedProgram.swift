import Foundation

/// The blocks of one document in their frames: one Swift module, written to a folder of its own.
struct SeedProgram {
    /// What was wrong with the document.
    enum Failure: Error, CustomStringConvertible {
        case otherText(document: String, lines: [Int])
        case noPlace(frame: String)

        var description: String {
            switch self {
            case .otherText(let document, let lines):
                "\(document): lines \(lines) are not the block that blocks.json lists"
            case .noPlace(let frame): "\(frame) must hold the line // BLOCK once"
            }
        }
    }

    /// The source files, by their names.
    private(set) var sources: [String: String] = [:]
    /// The changes that the blocks needed.
    private(set) var changes = SeedChanges()
    /// How many blocks it holds.
    private(set) var blocks = 0
    /// The document's number.
    let number: String

    /// Puts the blocks of `document` into their frames; the other files beside the frames, and the shared ones, belong to
    /// the program as they are.
    init(document: String) throws {
        number = String(document.prefix(3))
        let folder = Seeds.frames.appendingPathComponent(number)
        for folder in [Seeds.frames.appendingPathComponent("Shared"), folder] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                sources[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            }
        }
        let text = try Seeds.document(document)
        for block in try SeedBlock.all() where block.document == document {
            guard let original = block.text(in: text), SeedBlock.digest(original) == block.sha256 else {
                throw Failure.otherText(document: document, lines: block.lines)
            }
            guard let frame = block.frame else { continue }
            let (changed, made) = SeedChanges.apply(to: original)
            changes = changes + made
            blocks += 1
            let name = String(frame.dropFirst(number.count + 1))
            sources[name] = try Self.fill(sources[name] ?? "", frame, with: changed)
        }
    }

    /// The frame with the block, as it stands, instead of the line `// BLOCK`.
    static func fill(_ frame: String, _ name: String, with block: String) throws -> String {
        var lines = frame.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let places = lines.indices.filter { lines[$0].hasSuffix("// BLOCK") }
        guard places.count == 1 else { throw Failure.noPlace(frame: name) }
        lines[places[0]] = block
        return lines.joined(separator: "\n")
    }

    /// Writes the files and returns their paths.
    func write(to folder: URL) throws -> [String] {
        try sources.map { name, text in
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            return file.path
        }
    }
}
