import Foundation
import GlassesServer
import Glibc

/// An authority of one test, a certificate of it for 127.0.0.1, and clients that trust nobody else. The folder goes
/// with the object.
final class TLSLab: Sendable {
    let folder: String
    var authority: String { folder + "/ca.pem" }
    var files: TLSFiles { TLSFiles(certificate: folder + "/cert.pem", key: folder + "/key.pem") }

    /// Makes the authority and the certificate; takes some tens of milliseconds.
    init() throws {
        folder = NSTemporaryDirectory() + "tls-lab-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.write("subjectAltName=IP:127.0.0.1,DNS:localhost\n", to: folder + "/san")
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "ca.key",
            "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test authority")
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "key.pem", "-out",
            "leaf.csr", "-subj", "/CN=localhost")
        try openssl(
            "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
            "cert.pem",
            "-days", "2", "-extfile", "san")
    }

    deinit { removeFolder(folder) }

    private func removeFolder(_ path: String) {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(path)") }
    }

    static func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Runs `openssl` in the folder.
    func openssl(_ arguments: String...) throws {
        let process = Self.process(arguments)
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ClientFailure("openssl \(arguments[0]) failed") }
    }

    private static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        return process
    }

    /// A client that checks the server's certificate against the authority, by `openssl s_client`, which ends with its
    /// socket.
    func client(port: UInt16, options: [String] = []) throws -> RawClient {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(bitPattern: SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else {
            throw ClientFailure("no socket pair: \(errno)")
        }
        let process = Self.process(
            [
                "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", authority, "-verify_return_error", "-quiet",
                "-noservername",
            ]
                + options)
        let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        process.standardInput = theirs
        process.standardOutput = theirs
        process.standardError = FileHandle.nullDevice
        try process.run()
        try theirs.close()
        // It would go on after the end of its input, so that a client that leaves must take it along.
        let child = process.processIdentifier
        return RawClient(descriptor: ends[0]) { kill(child, SIGKILL) }
    }
}
