import Foundation
import Glibc

/// The file that tells a server's port, and the one beside it with its secret; both for their owner alone.
struct TestServerFiles: Sendable {
    /// The environment's name for the port file.
    static let variable = "MWDAT_TEST_SERVER_PORT_FILE"

    let port: String
    var token: String { port + ".token" }

    /// The files at `path`; with nil those that the environment names, or else the usual ones.
    init(_ path: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        if let path = path ?? environment[Self.variable], !path.isEmpty {
            port = path
        } else {
            port = Self.usual(environment)
        }
    }

    /// Where a server's port is told without another word.
    static func usual(_ environment: [String: String]) -> String {
        let folder = environment["XDG_RUNTIME_DIR"] ?? environment["TMPDIR"] ?? "/tmp"
        return folder + "/mwdat-test-server.port"
    }

    /// A secret of 128 bits.
    static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return [generator.next(), generator.next()].map { String($0, radix: 36) }.joined()
    }

    /// Writes both files, the secret first; false when that is not possible.
    func write(port number: UInt16, token text: String) -> Bool {
        Self.write(text, to: token) && Self.write("\(number)\n", to: port)
    }

    /// Removes both files while they are those of the server with the secret `text`: another may have taken the place since.
    func remove(token text: String) {
        guard FileManager.default.contents(atPath: token) == Data(text.utf8) else { return }
        unlink(port)
        unlink(token)
    }

    /// Writes a new file and puts it in the place of the old one, so that a reader never sees half of it, and no link is followed.
    private static func write(_ text: String, to path: String) -> Bool {
        let fresh = path + ".\(getpid())"
        unlink(fresh)
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let bytes = Array(text.utf8)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        guard close(descriptor) == 0, isWritten, rename(fresh, path) == 0 else {
            unlink(fresh)
            return false
        }
        return true
    }
}
