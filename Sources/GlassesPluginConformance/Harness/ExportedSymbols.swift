import GlassesPluginHost

/// The dynamic symbols that an ELF file of this machine defines for others.
struct ExportedSymbols {
    let names: [String]

    /// The linker defines these in every library of some tool chains.
    private static let linkers: Set = ["_init", "_fini", "__bss_start", "_edata", "_end"]

    /// Reads a file's bytes; nil for something that is no 64-bit little-endian ELF library. Nothing in the file is believed.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        let reader = Reader(bytes: bytes)
        guard let table = reader.number(0x28, 8), let count = reader.number(0x3C, 2) else { return nil }
        let sections = (0..<count).map { table + $0 * 64 }
        // SHT_DYNSYM is 11; its sh_link names the section of its strings.
        guard let symbols = sections.first(where: { reader.number($0 + 4, 4) == 11 }),
            let start = reader.number(symbols + 0x18, 8), let size = reader.number(symbols + 0x20, 8),
            let link = reader.number(symbols + 0x28, 4), link < count,
            let strings = reader.number(sections[link] + 0x18, 8)
        else { return nil }
        var found: [String] = []
        for entry in stride(from: start, to: start + min(size, bytes.count), by: 24) {
            guard let name = reader.number(entry, 4), let info = reader.number(entry + 4, 1),
                let other = reader.number(entry + 5, 1), let section = reader.number(entry + 6, 2)
            else { return nil }
            // Defined here, global or weak, and visible to others.
            guard section != 0, [1, 2].contains(info >> 4), [0, 3].contains(other & 3) else { continue }
            guard let text = reader.text(strings + name) else { return nil }
            if !Self.linkers.contains(text) { found.append(text) }
        }
        names = found.sorted()
    }

    private struct Reader {
        let bytes: [UInt8]

        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            let value = bytes[offset..<offset + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // Sums of two such numbers cannot overflow.
            return value < 1 << 48 ? Int(value) : nil
        }

        func text(_ offset: Int) -> String? {
            guard offset >= 0, offset < bytes.count else { return nil }
            return String(decoding: bytes[offset...].prefix(4_096).prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
