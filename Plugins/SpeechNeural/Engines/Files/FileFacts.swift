import CDigest
import Glibc

/// What a file's owner cannot change without a trace, and its content.
struct FileFacts: Sendable, Hashable {
    /// In bytes.
    let size: Int64
    /// The time of the last change in nanoseconds since 1970.
    let modified: Int64

    /// More than any manifest has.
    private static let textLimit = 65_536
    private static let blockSize = 1 << 20

    /// The facts of a regular file that can be read; nil when there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// A small text; nil when the file cannot be read, is too long or is no UTF-8.
    static func text(of path: String) -> String? {
        var bytes: [UInt8] = []
        let isRead = read(path) { block in
            bytes += block
            return bytes.count <= textLimit
        }
        return isRead ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// The SHA-256 of a file in lower-case hexadecimal digits; nil when it cannot be read.
    static func digest(of path: String) -> String? {
        var digest = cdigest_sha256()
        cdigest_sha256_begin(&digest)
        let isRead = read(path) { block in
            cdigest_sha256_add(&digest, block.baseAddress, block.count)
            return true
        }
        guard isRead else { return nil }
        var result = [UInt8](repeating: 0, count: 32)
        cdigest_sha256_end(&digest, &result)
        return result.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Hands out a file in blocks until `take` declines; false when it declined or the file cannot be read.
    private static func read(_ path: String, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
        defer { block.deallocate() }
        while true {
            let count = Glibc.read(descriptor, block.baseAddress, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return false }
            if count == 0 { return true }
            guard take(UnsafeRawBufferPointer(rebasing: block[..<count])) else { return false }
        }
    }
}
