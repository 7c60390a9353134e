/// Something in a `plugin.json` that is wrong, or looks like a mistake, with its place.
public struct PluginManifestFinding: Sendable, Hashable, CustomStringConvertible {
    /// How serious it is.
    public enum Severity: String, Sendable, Hashable {
        /// The plugin is refused.
        case error
        /// The plugin is accepted; its author may have meant something else.
        case warning
    }

    /// How serious it is.
    public let severity: Severity
    /// The machine-readable code, stable between versions.
    public let code: String
    /// The JSON pointer (RFC 6901) of the value; empty for the file as a whole.
    public let pointer: String
    /// The line, from 1, and the column in bytes, from 1; nil for the file as a whole.
    public let position: Position?
    /// One sentence with the next step.
    public let message: String

    /// A place in a text.
    public struct Position: Sendable, Hashable {
        /// From 1.
        public let line: Int
        /// In bytes, from 1.
        public let column: Int

        /// The place of the byte at `offset`.
        init(offset: Int, in bytes: [UInt8]) {
            let before = bytes.prefix(max(offset, 0))
            line = 1 + before.count { $0 == 0x0A }
            column = 1 + before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
        }
    }

    /// `LINE:COLUMN: SEVERITY: SENTENCE [POINTER]`, as compilers write it.
    public var description: String {
        let place = position.map { "\($0.line):\($0.column): " } ?? ""
        return place + "\(severity.rawValue): \(message)" + (pointer.isEmpty ? "" : " [\(pointer)]")
    }
}
