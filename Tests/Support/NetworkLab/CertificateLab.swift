import Foundation
import TestProcess

/// A certificate with its key, as paths of PEM files.
public struct LabCertificate: Sendable, Hashable {
    /// The certificate.
    public let certificate: String
    /// Its key.
    public let key: String
}

/// A private certificate authority and what it has issued, made once for a test run by the `openssl` program.
///
/// ```swift
/// let lab = try await CertificateLab.shared()
/// ```
public struct CertificateLab: Sendable {
    /// The authority's certificate.
    public let authority: String
    /// Another authority's, which has issued nothing here.
    public let otherAuthority: String
    /// For 127.0.0.1, ::1 and localhost.
    public let server: LabCertificate
    /// For another name only.
    public let wrongName: LabCertificate
    /// For 127.0.0.1 and localhost, until yesterday.
    public let expired: LabCertificate
    /// A PEM file without a certificate.
    public let notACertificate: String

    private static let made = Task { try await make() }

    /// The lab; the first call makes it, in a folder of its own that is left to the system's clean-up of temporary files.
    public static func shared() async throws -> CertificateLab { try await made.value }

    private static func make() async throws -> CertificateLab {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("glasses-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let maker = CertificateMaker(folder: folder)
        let authority = try await maker.authority("lab")
        let other = try await maker.authority("other")
        let server = try await maker.issue("server", by: authority, names: "DNS:localhost,IP:127.0.0.1,IP:::1", days: 2)
        let wrong = try await maker.issue("wrong", by: authority, names: "DNS:somewhere-else.example", days: 2)
        let expired = try await maker.issue("expired", by: authority, names: "DNS:localhost,IP:127.0.0.1", days: -1)
        let noise = folder.appendingPathComponent("noise.pem")
        try Data("no certificate\n".utf8).write(to: noise)
        return CertificateLab(
            authority: authority.certificate, otherAuthority: other.certificate, server: server, wrongName: wrong,
            expired: expired, notACertificate: noise.path)
    }
}

/// Calls `openssl`.
private struct CertificateMaker {
    let folder: URL

    func authority(_ name: String) async throws -> LabCertificate {
        let made = files(name)
        try await openssl(
            ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-keyout", made.key]
                + ["-out", made.certificate] + Self.newKey)
        return made
    }

    func issue(
        _ name: String, by authority: LabCertificate, names: String, days: Int
    ) async throws -> LabCertificate {
        let made = files(name)
        let request = made.certificate + ".csr"
        let extensions = made.certificate + ".ext"
        try Data("subjectAltName=\(names)\n".utf8).write(to: URL(fileURLWithPath: extensions))
        try await openssl(
            ["req", "-new", "-nodes", "-subj", "/CN=\(name)", "-keyout", made.key, "-out", request] + Self.newKey)
        try await openssl([
            "x509", "-req", "-in", request, "-CA", authority.certificate, "-CAkey", authority.key, "-CAcreateserial",
            "-days", "\(days)", "-extfile", extensions, "-out", made.certificate,
        ])
        return made
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    private func files(_ name: String) -> LabCertificate {
        LabCertificate(
            certificate: folder.appendingPathComponent("\(name).pem").path,
            key: folder.appendingPathComponent("\(name).key").path)
    }

    private func openssl(_ arguments: [String]) async throws {
        let outcome = try await TestProcess("/usr/bin/openssl", arguments).run()
        guard outcome.code == 0 else { throw LabError.setup("openssl \(arguments[0]): \(outcome.errors)") }
    }
}
