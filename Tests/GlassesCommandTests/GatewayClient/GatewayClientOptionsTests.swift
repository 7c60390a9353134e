import Foundation
import GlassesCore
import Testing

@testable import glasses

@Suite("Gateway options")
struct GatewayClientOptionsTests {
    private static let url = "wss://gateway.example/v1"

    private func options(_ arguments: [String], _ environment: [String: String] = [:]) throws -> GatewayClientOptions {
        guard case .run(let parsed) = try ArgumentParser.parse(arguments, for: TalkCommand.spec) else {
            throw UsageError("help")
        }
        return try GatewayClientOptions(parsed, environment: environment)
    }

    @Test(
        "the command line wins over the environment, and without both the session is served in this process",
        arguments: [
            ([], [:], nil), (["--gateway", "embedded"], ["EXTENTOS_GATEWAY_URL": url], nil),
            ([], ["EXTENTOS_GATEWAY_URL": url], "gateway.example"), ([], ["EXTENTOS_GATEWAY_URL": ""], nil),
            (["--gateway", "ws://localhost:1"], ["EXTENTOS_GATEWAY_URL": url], "localhost:1"),
        ] as [([String], [String: String], String?)])
    func precedence(_ arguments: [String], _ environment: [String: String], _ name: String?) throws {
        let options = try options(arguments, environment)
        #expect(options.address?.displayName == name)
        #expect(options.isRemote == (name != nil))
        #expect(try options.endpoint()?.url == options.address?.url)
    }

    @Test("the token comes from the file, else from the environment, and its origin is told")
    func token() async throws {
        let path = try TemporaryFile.write("  from-file\n", mode: 0o600)
        defer { unlink(path) }
        let environment = ["EXTENTOS_GATEWAY_TOKEN": "from-environment"]
        let file = try options(["--gateway", Self.url, "--token-file", path], environment)
        #expect(try await file.endpoint()?.token?() == "from-file")
        #expect(file.tokenOrigin == path)
        let variable = try options(["--gateway", Self.url], environment)
        #expect(try await variable.endpoint()?.token?() == "from-environment")
        #expect(variable.tokenOrigin == "EXTENTOS_GATEWAY_TOKEN")
        #expect(try options(["--gateway", Self.url]).endpoint()?.token == nil)
    }

    @Test("a file is read anew for each connection, so that a renewed token is sent")
    func renewedToken() async throws {
        let path = try TemporaryFile.write("first", mode: 0o600)
        defer { unlink(path) }
        let token = try #require(try options(["--gateway", Self.url, "--token-file", path]).endpoint()?.token)
        #expect(try await token() == "first")
        try Data("second".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await token() == "second")
    }

    @Test(
        "options that need a gateway are refused without one, and a wrong URL is said to be one",
        arguments: [
            (["--ca", "ca.pem"], "--ca needs the URL of a gateway"),
            (["--token-file", "t"], "--token-file needs the URL of a gateway"),
            (["--model", "m", "--gateway", "embedded"], "--model needs the URL of a gateway"),
            (["--gateway="], "--gateway needs a value"),
        ] as [([String], String)])
    func refused(_ arguments: [String], _ beginning: String) {
        do {
            _ = try options(arguments)
            Issue.record("\(arguments) was taken.")
        } catch let error as UsageError {
            #expect(error.message.hasPrefix(beginning))
        } catch { Issue.record("\(error)") }
    }

    @Test("a file with authorities that is not there is a problem with the next step")
    func missingAuthorities() throws {
        let options = try options(["--gateway", Self.url, "--ca", "/nonexistent/ca.pem"])
        #expect(throws: Problem.self) { _ = try options.endpoint() }
    }

    @Test("the doctor's command repeats what was given")
    func doctorCommand() throws {
        let options = try options(["--gateway", "wss://h/v1", "--ca", "ca.pem", "--model", "m"])
        #expect(options.doctorCommand == "glasses doctor --gateway wss://h/v1/realtime --ca ca.pem --model m")
    }
}

@Suite("Token files")
struct TokenFileTests {
    @Test(
        "a file that others can read or write is refused with the command that mends it",
        arguments: [0o644, 0o620, 0o602])
    func readableByOthers(_ mode: mode_t) throws {
        let path = try TemporaryFile.write("secret-word", mode: mode)
        defer { unlink(path) }
        do throws(TokenFile.Failure) {
            _ = try TokenFile(path: path).token()
            Issue.record("It was taken.")
        } catch {
            #expect(error.description.hasSuffix("Run: chmod 600 \(path)"))
            #expect(!error.description.contains("secret-word"))
        }
    }

    @Test(
        "what is no token is refused and not repeated",
        arguments: ["", " \n", "secret word", "secret\nword", "sécret", String(repeating: "x", count: 9_000)])
    func noToken(_ content: String) throws {
        let path = try TemporaryFile.write(content, mode: 0o600)
        defer { unlink(path) }
        do throws(TokenFile.Failure) {
            _ = try TokenFile(path: path).token()
            Issue.record("It was taken.")
        } catch { #expect(!error.description.contains("word")) }
    }

    @Test("a folder, a FIFO that nobody writes and a missing file are refused at once")
    func noFile() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("fifo-\(UUID())").path
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        for path in [path, "/", "/nonexistent/token"] {
            #expect(throws: TokenFile.Failure.self) { _ = try TokenFile(path: path).token() }
        }
    }
}

/// A file that a test makes and removes.
enum TemporaryFile {
    static func write(_ text: String, mode: mode_t) throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("glasses-\(UUID())")
        try Data(text.utf8).write(to: url)
        chmod(url.path, mode)
        return url.path
    }
}
