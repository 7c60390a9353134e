import GlassesDomain
import Glibc

/// Files that decide who may use the gateway, read with a check of who else can read or change them.
enum GuardedFile {
    /// Who beside its owner may do what with a file.
    enum Rule {
        /// It holds secrets: nobody else may read or write it.
        case secret
        /// It decides where secrets are sent: nobody else may write it.
        case trusted

        fileprivate var forbidden: mode_t { self == .secret ? 0o077 : 0o022 }
    }

    /// The bytes of the file at `path`, which the sentence of an error calls `noun`.
    static func read(_ path: String, _ noun: String, rule: Rule, limit: Int) throws(GatewayError) -> [UInt8] {
        // O_NONBLOCK: opening a pipe must not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path, noun, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw unreadable(path, noun, String(cString: strerror(errno))) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw unreadable(path, noun, "it is not a regular file") }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw notPrivate("\(path) belongs to another user. Let the \(noun) belong to the gateway's user.")
        }
        guard facts.st_mode & rule.forbidden == 0 else {
            let what = rule == .secret ? "read" : "change"
            let mode = rule == .secret ? "600" : "go-w"
            throw notPrivate("Other users can \(what) the \(noun). Run: chmod \(mode) \(path)")
        }
        guard facts.st_size <= limit else {
            throw unreadable(path, noun, "it is larger than \(limit / 1_024) KiB")
        }
        return try contents(descriptor, path, noun, limit: limit)
    }

    private static func contents(
        _ descriptor: Int32, _ path: String, _ noun: String, limit: Int
    ) throws(GatewayError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += piece.prefix(count)
                guard bytes.count <= limit else { throw unreadable(path, noun, "it grows while it is read") }
            } else if errno != EINTR {
                throw unreadable(path, noun, String(cString: strerror(errno)))
            }
        }
    }

    private static func unreadable(_ path: String, _ noun: String, _ reason: String) -> GatewayError {
        GatewayError(code: "file_unreadable", message: "The \(noun) \(path) cannot be read: \(reason).")
    }

    private static func notPrivate(_ message: String) -> GatewayError {
        GatewayError(code: "file_not_private", message: message)
    }
}
