import Dispatch
import Foundation
import Glibc
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import Synchronization

/// Requests to the test server that a port file tells of.
package struct TestServerConnection: Sendable {
    /// How long an answer may take.
    package static let patience = Duration.seconds(10)
    /// The longest answer that is read: a photo of the simulated camera.
    package static let answerLimit = 64 << 20
    /// The largest file that is read for a port or a secret.
    private static let fileLimit = 4_096

    /// The file that tells the server's port.
    package let portFile: String

    /// Requests to the server that `portFile` tells of, now or later; with nil the file that `MWDAT_TEST_SERVER_PORT_FILE` names, or
    /// else the usual one.
    package init(portFile: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let named = portFile ?? environment["MWDAT_TEST_SERVER_PORT_FILE"] ?? ""
        let folder = environment["XDG_RUNTIME_DIR"] ?? environment["TMPDIR"] ?? "/tmp"
        self.portFile = named.isEmpty ? folder + "/mwdat-test-server.port" : named
    }

    /// Sends a request and answers the JSON object that came back.
    package func request(
        _ method: String, _ path: String, body: JSONValue? = nil
    ) async -> Result<JSONValue, MockDeviceTestClientError> {
        await bytes(method, path, body: body).flatMap { bytes in
            do {
                return .success(try JSONValue(jsonText: String(decoding: bytes, as: UTF8.self)))
            } catch {
                return .failure(.unreadable)
            }
        }
    }

    /// Sends a request and answers what came back.
    package func bytes(
        _ method: String, _ path: String, body: JSONValue? = nil
    ) async -> Result<[UInt8], MockDeviceTestClientError> {
        guard let port = Self.read(portFile).flatMap(UInt16.init), let token = Self.read(portFile + ".token"),
            let url = URL(string: "http://127.0.0.1:\(port)\(path)")
        else { return .failure(.noServer(portFile)) }
        let fields = HTTPFields([("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")])
        let request = HTTPRequest(
            method, url, fields: fields, body: body.map { .bytes(Array($0.jsonText.utf8)) } ?? .none,
            timeout: Self.patience, idleTimeout: Self.patience)
        do {
            // The app is on this machine: no proxy is asked.
            let response = try await HTTPClient(settings: NetworkSettings(proxy: .none)).send(request)
            let bytes = try await response.body.collect(limit: Self.answerLimit)
            return response.status < 300 ? .success(bytes) : .failure(Self.refusal(bytes, response.status))
        } catch {
            return .failure(.silent)
        }
    }

    /// As ``request(_:_:body:)``, for callers that may block their thread. Needs no thread of Swift's shared pool.
    func requestAndWait(
        _ method: String, _ path: String, body: JSONValue? = nil
    ) -> Result<JSONValue, MockDeviceTestClientError> {
        let answer = Answer()
        Task(executorPreference: ClientThread.shared) { answer.give(await request(method, path, body: body)) }
        return answer.wait()
    }

    /// The answer's place, for one thread that waits.
    private final class Answer: Sendable {
        private let result = Mutex<Result<JSONValue, MockDeviceTestClientError>>(.failure(.silent))
        private let isThere = DispatchSemaphore(value: 0)

        func give(_ result: Result<JSONValue, MockDeviceTestClientError>) {
            self.result.withLock { $0 = result }
            isThere.signal()
        }

        func wait() -> Result<JSONValue, MockDeviceTestClientError> {
            // The request itself ends within its patience, head and body; this is the bound behind that.
            _ = isThere.wait(timeout: .now() + .seconds(3 * Int(TestServerConnection.patience.components.seconds)))
            return result.withLock { $0 }
        }
    }

    private static func refusal(_ bytes: [UInt8], _ status: Int) -> MockDeviceTestClientError {
        do {
            let error = try JSONValue(jsonText: String(decoding: bytes, as: UTF8.self))["error"]
            guard let code = error?["code"]?.stringValue, let message = error?["message"]?.stringValue else {
                return .unreadable
            }
            return MockDeviceTestClientError(code: code, message: message)
        } catch {
            return MockDeviceTestClientError(
                code: "bad_answer", message: "The app's test server answered with status \(status) and no reason.")
        }
    }

    /// The one line of a small file of this user; nil when it cannot be read. Somebody else's file might lead to a server of theirs.
    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: fileLimit)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Runs the requests of threads that wait for them.
private final class ClientThread: TaskExecutor {
    static let shared = ClientThread()

    private let queue = DispatchQueue(label: "org.extentos.mock-client")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
