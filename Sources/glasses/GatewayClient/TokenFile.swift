import Foundation

/// A file that holds a bearer token and that nobody else can read.
struct TokenFile: Sendable, Hashable {
    /// Why a file gives no token.
    struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// One sentence with the next step, without the token.
        let description: String
    }

    /// Longer than any token in use.
    private static let sizeLimit = 8_192

    /// The file's path.
    let path: String

    /// Reads the token, without the white space around it: each time anew, so that a program that renews the file is heeded.
    func token() throws(Failure) -> String {
        // A FIFO or a device would hold up an open that waits.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("cannot be opened: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw failure("is not a file")
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw failure("can be read or written by others. Run: chmod 600 \(path)", isWhole: true)
        }
        guard facts.st_size <= Self.sizeLimit else { throw failure("is too long for a token") }
        var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw failure("does not hold one token in one line")
        }
        return text
    }

    private func failure(_ reason: String, isWhole: Bool = false) -> Failure {
        let nextStep = isWhole ? "" : ". Write the token into a file of its own that only you can read."
        return Failure(description: "The token file \(path) \(reason)\(nextStep)")
    }
}
