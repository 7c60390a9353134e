import GlassesServer
import GlassesWebSocket
import MWDATCore

/// The HTTP server by which another process scripts the kit: on localhost, for requests that know its secret.
final class TestServer: Sendable {
    /// What a test that ends waits for.
    private static let patience = Duration.seconds(1)

    let port: UInt16
    private let server: HTTPServer
    private let files: TestServerFiles
    private let token: String

    private init(server: HTTPServer, files: TestServerFiles, token: String) {
        (self.server, self.files, self.token, port) = (server, files, token, server.port)
    }

    /// Starts a server for `kit`, and writes its files.
    static func start(
        kit: MockKit, port: UInt16, files: TestServerFiles
    ) throws(MockDeviceKitError) -> TestServer {
        let token = TestServerFiles.newToken()
        let guarded = GuardedHandler(token: token, inner: HTTPRouter(TestRoutes(kit: kit).all))
        let http: HTTPServer
        do throws(ServerError) {
            let configuration = ServerConfiguration(listen: try ListenAddress("127.0.0.1:\(port)"))
            http = try HTTPServer.start(configuration: configuration, handler: guarded)
        } catch {
            Warnings.tell("The test server cannot be started. \(error.message)")
            throw .testServerUnavailable
        }
        let server = TestServer(server: http, files: files, token: token)
        guard files.write(port: http.port, token: token) else {
            server.stop()
            Warnings.tell("The port file \(files.port) cannot be written. Name one in a folder of yours.")
            throw .testServerUnavailable
        }
        return server
    }

    /// Removes its files and ends the server; returns at once.
    func stop() {
        files.remove(token: token)
        Task { [server] in await server.drain(within: Self.patience) }
    }
}

/// Lets through what knows the secret.
private struct GuardedHandler: HTTPHandler {
    let token: String
    let inner: any HTTPHandler

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        // `/health` tells nothing but that somebody is there.
        let isOpen = request.path == "/health"
        guard isOpen || request.headers.first("Authorization") == "Bearer \(token)" else {
            let failure = TestServerFailure(
                401, "token",
                "The secret is missing or wrong. Send \"Authorization: Bearer\" with that of the file "
                    + "beside the port file, whose name ends in .token.")
            completion(failure.response)
            return
        }
        inner.respond(to: request, completion: completion)
    }
}

/// What is answered to a request that cannot be carried out.
struct TestServerFailure: Error {
    let status: Int
    let code: String
    let message: String

    init(_ status: Int, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    var response: HTTPResponse { .error(status, code: code, message: message) }
}
