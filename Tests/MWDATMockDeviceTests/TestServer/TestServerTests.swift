import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import MWDATCore
import MWDATMockDeviceTestClient
import Testing

@testable import MWDATMockDevice

/// The test server and its client, over real HTTP.
@Suite("The test server")
struct TestServerTests {
    /// An enabled kit with a test server, and a client of it.
    private struct Lab {
        let app = MockApp()
        let folder: TemporaryFolder
        let portFile: String
        let port: UInt16
        let client: MockDeviceTestClient

        init() async throws {
            folder = try TemporaryFolder()
            portFile = folder.path + "/port"
            app.kit.enable()
            port = try await app.kit.startTestServer(portFilePath: portFile)
            client = MockDeviceTestClient(portFilePath: portFile)
        }

        var connection: TestServerConnection { TestServerConnection(portFile: portFile) }

        /// Calls the client on a thread of its own: its calls block.
        func call<Result: Sendable>(_ body: @escaping @Sendable (MockDeviceTestClient) -> Result) async -> Result {
            await withCheckedContinuation { continuation in
                let client = client
                Thread.detachNewThread { continuation.resume(returning: body(client)) }
            }
        }
    }

    @Test("The port file tells the port, it and the secret are for their owner alone, and both go with the server")
    func files() async throws {
        let lab = try await Lab()
        #expect(try String(contentsOfFile: lab.portFile, encoding: .utf8) == "\(lab.port)\n")
        for file in [lab.portFile, lab.portFile + ".token"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        lab.app.end()
        #expect(!FileManager.default.fileExists(atPath: lab.portFile))
        #expect(!FileManager.default.fileExists(atPath: lab.portFile + ".token"))
    }

    @Test("The client pairs glasses that are on and worn, and does everything to them")
    func everyMethod() async throws {
        let lab = try await Lab()
        #expect(await lab.call { $0.waitForServer(timeout: 20) && $0.healthCheck() })
        let device = try #require(await lab.call { $0.pairDevice() })
        #expect(lab.app.kit.pairedDevices.map(\.deviceIdentifier) == [device])
        func facts() -> [Bool] {
            lab.app.kit.stage.look { world in
                world.find(device).map { [$0.isPowered, $0.isUnfolded, $0.isDonned] } ?? []
            }
        }
        #expect(facts() == [true, true, true])
        #expect(await lab.call { $0.doff(deviceId: device) } && facts() == [true, true, false])
        #expect(await lab.call { $0.don(deviceId: device) } && facts() == [true, true, true])
        #expect(await lab.call { $0.fold(deviceId: device) } && facts() == [true, false, false])
        #expect(await lab.call { $0.unfold(deviceId: device) } && facts() == [true, true, false])
        #expect(await lab.call { $0.powerOff(deviceId: device) } && facts() == [false, false, false])
        #expect(await lab.call { $0.powerOn(deviceId: device) } && facts() == [true, false, false])
        #expect(await lab.call { $0.don(deviceId: device) })

        let session = try await lab.app.startedSession(
            on: StageGlasses(deviceIdentifier: device, stage: lab.app.kit.stage))
        #expect(await lab.call { $0.captouchTap(deviceId: device) })
        try await waitUntil { session.state == .paused ? true : nil }
        #expect(await lab.call { $0.captouchTap(deviceId: device) })
        try await waitUntil { session.state == .started ? true : nil }
        #expect(await lab.call { $0.captouchTapAndHold(deviceId: device) })
        await session.waitUntilStopped()

        #expect(await lab.call { !$0.sendLaunchAppAction(deviceId: device) })
        #expect(lab.client.lastFailure?.code == "not_supported")
        #expect(await lab.call { !$0.sendIncompleteAction(deviceId: device) })
        #expect(await lab.call { $0.unpairDevice(deviceId: device) })
        #expect(lab.client.lastFailure == nil)
        #expect(lab.app.kit.pairedDevices.isEmpty)
        lab.app.end()
    }

    @Test("The state tells how many devices there are, and which")
    func state() async throws {
        let lab = try await Lab()
        let devices = await lab.call { [$0.pairDevice(), $0.pairDevice()] }
        let (count, identifiers) = await lab.call { client in
            let state = client.getDeviceState()
            return (state?["pairedDeviceCount"] as? Int, state?["deviceIds"] as? [String])
        }
        #expect(count == 2 && identifiers == devices.compactMap { $0 })
        lab.app.end()
    }

    @Test("A feed and an image are found as absolute paths, and missing ones are told")
    func feeds() async throws {
        let lab = try await Lab()
        let device = try #require(await lab.call { $0.pairDevice() })
        let image = try lab.folder.write(FeedTests.jpeg(3), "image.jpg")
        let set = await lab.connection.request("POST", "/camera/set-feed", body: ["path": .string(image)])
        #expect(set == .success(["deviceId": .string(device)]))
        #expect(lab.app.kit.stage.look { $0.find(device)?.feed } == .path(image))
        #expect(await lab.call { !$0.setCameraFeed(deviceId: device, resourceName: "missing", ext: "mp4") })
        #expect(lab.client.lastFailure?.code == "no_file")
        #expect(await lab.call { !$0.setCapturedImage(deviceId: device, resourceName: "missing", ext: "png") })
        let photo = try await lab.connection.bytes("GET", "/camera/photo").get()
        #expect(photo.prefix(3) == [0xFF, 0xD8, 0xFF])
        lab.app.end()
    }

    @Test("What is set over HTTP is observed by the app")
    func health() async throws {
        let lab = try await Lab()
        let identifier = try #require(await lab.call { $0.pairDevice() })
        let device = try await waitUntil { lab.app.hub.deviceForIdentifier(identifier) }
        for (path, body) in [
            ("/device/battery", ["level": 33]), ("/device/charging", ["state": "full"]),
            ("/device/thermal", ["level": "light"]),
        ] as [(String, JSONValue)] {
            #expect(await lab.connection.request("POST", path, body: body).isSuccess)
        }
        try await waitUntil { device.thermalLevel == .light ? true : nil }
        #expect(device.batteryLevel == 33 && device.chargingState == .full)
        let set: JSONValue = ["permission": "camera", "status": "denied"]
        #expect(await lab.connection.request("POST", "/permissions/set", body: set).isSuccess)
        #expect(try await lab.app.hub.checkPermissionStatus(.camera) == .denied)
        let faults: JSONValue = [
            "unanswered": ["photo"], "refusals": ["session": "occupied"], "answerDelayMs": 5, "linkRate": 100_000,
            "stopsFrames": true,
        ]
        #expect(await lab.connection.request("POST", "/faults", body: faults).isSuccess)
        #expect(lab.app.kit.faults.unanswered == [.photo] && lab.app.kit.faults.linkRate == 100_000)
        #expect(lab.app.kit.faults.refusals[.session]?.check == .occupied)
        let incident: JSONValue = ["incident": "link", "state": "disconnected"]
        #expect(await lab.connection.request("POST", "/device/incident", body: incident).isSuccess)
        try await waitUntil { device.linkState == .disconnected ? true : nil }
        lab.app.end()
    }

    @Test(
        "A wrong request is refused with a reason",
        arguments: [
            ("/device/don", #"{"deviceId":"none"}"#, 404, "no_device"),
            ("/device/don", "no json", 400, "json"), ("/device/don", "[1]", 400, "json"),
            ("/device/don", #"{"deviceId":7}"#, 400, "invalid_field"),
            ("/device/battery", #"{"level":101}"#, 400, "invalid_field"),
            ("/device/battery", "{}", 400, "invalid_field"),
            ("/device/thermal", #"{"level":"warm"}"#, 400, "invalid_field"),
            ("/camera/set-feed", #"{"path":"relative.mp4"}"#, 400, "invalid_field"),
            ("/camera/set-feed", #"{"facing":"up"}"#, 400, "invalid_field"),
            ("/device/pair", #"{"model":"none"}"#, 400, "invalid_field"),
            ("/faults", #"{"unanswered":["none"]}"#, 400, "invalid_field"),
            ("/device/incident", #"{"incident":"none"}"#, 400, "invalid_field"),
            ("/device/nothing", "{}", 404, "not_found"),
        ])
    func wrongRequest(path: String, body: String, status: Int, code: String) async throws {
        let lab = try await Lab()
        _ = await lab.call { $0.pairDevice() }
        let answer = try await Self.send(lab, "POST", path, body: body)
        #expect(answer.status == status)
        #expect(answer.json["error"]?["code"]?.stringValue == code)
        #expect(answer.json["error"]?["message"]?.stringValue?.isEmpty == false)
        lab.app.end()
    }

    @Test("Without the secret, from a page, or for another host nothing is done")
    func strangers() async throws {
        let lab = try await Lab()
        #expect(try await Self.send(lab, "POST", "/device/pair", token: nil).status == 401)
        #expect(try await Self.send(lab, "POST", "/device/pair", token: "wrong").status == 401)
        let page = try await Self.send(lab, "POST", "/device/pair", more: [("Origin", "https://example.com")])
        #expect(page.status == 403)
        let rebound = try await Self.send(lab, "POST", "/device/pair", more: [("Host", "example.com")])
        #expect(rebound.status == 403)
        #expect(try await Self.send(lab, "GET", "/device/pair").status == 405)
        #expect(lab.app.kit.pairedDevices.isEmpty)
        lab.app.end()
    }

    @Test("Pairing at a kit that is disabled is refused")
    func disabled() async throws {
        let folder = try TemporaryFolder()
        let app = MockApp()
        _ = try await app.kit.startTestServer(portFilePath: folder.path + "/port")
        let connection = TestServerConnection(portFile: folder.path + "/port")
        guard case .failure(let error) = await connection.request("POST", "/device/pair") else {
            Issue.record("it was paired")
            return
        }
        #expect(error.code == "not_enabled")
        app.kit.stopTestServer()
        app.end()
    }

    @Test("A client without a server says what to do")
    func noServer() async throws {
        let folder = try TemporaryFolder()
        let connection = TestServerConnection(portFile: folder.path + "/port")
        guard case .failure(let error) = await connection.request("GET", "/health") else {
            Issue.record("somebody answered")
            return
        }
        #expect(error.code == "no_server" && error.message.contains(folder.path))
    }

    @Test("A port file that cannot be written is refused")
    func unwritable() async throws {
        let folder = try TemporaryFolder()
        let app = MockApp()
        await #expect(throws: MockDeviceKitError.testServerUnavailable) {
            try await app.kit.startTestServer(portFilePath: folder.path + "/missing/port")
        }
        app.end()
    }

    // MARK: Requests

    private struct Reply {
        var status: Int
        var json: JSONValue
    }

    private static func send(
        _ lab: Lab, _ method: String, _ path: String, body: String = "{}", token: String? = "",
        more: [(String, String)] = []
    ) async throws -> Reply {
        let secret = try String(contentsOfFile: lab.portFile + ".token", encoding: .utf8)
        var fields = HTTPFields(more.map { (name: $0.0, value: $0.1) })
        if let token { fields.append(name: "Authorization", value: "Bearer " + (token.isEmpty ? secret : token)) }
        let url = try #require(URL(string: "http://127.0.0.1:\(lab.port)\(path)"))
        let response = try await HTTPClient().send(
            HTTPRequest(method, url, fields: fields, body: method == "GET" ? .none : .bytes(Array(body.utf8))))
        let bytes = try await response.body.collect(limit: 1 << 20)
        let json: JSONValue
        do { json = try JSONValue(jsonText: String(decoding: bytes, as: UTF8.self)) } catch { json = .null }
        return Reply(status: response.status, json: json)
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

@Suite("Where a test server's port is told")
struct TestServerFilesTests {
    @Test(
        "Server and client agree on the file",
        arguments: [
            [:], ["XDG_RUNTIME_DIR": "/run/user/7"], ["TMPDIR": "/var/tmp"],
            ["MWDAT_TEST_SERVER_PORT_FILE": "/a/port", "XDG_RUNTIME_DIR": "/run/user/7"],
        ] as [[String: String]])
    func agreement(environment: [String: String]) {
        for path in [nil, "/b/port"] {
            #expect(
                TestServerFiles(path, environment: environment).port
                    == TestServerConnection(portFile: path, environment: environment).portFile)
        }
    }

    @Test("A server that ends leaves the files of one that has taken its place")
    func successor() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mwdat-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let files = TestServerFiles(folder.path + "/port")
        #expect(files.write(port: 1, token: "first") && files.write(port: 2, token: "second"))
        files.remove(token: "first")
        #expect(FileManager.default.contents(atPath: files.port) == Data("2\n".utf8))
        #expect(FileManager.default.contents(atPath: files.token) == Data("second".utf8))
        files.remove(token: "second")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("A port file that is no file of this user is not believed")
    func strangers() async {
        let answer = await TestServerConnection(portFile: "/dev/null").request("GET", "/health")
        #expect(answer == .failure(MockDeviceTestClientError(code: "no_server", message: Self.message("/dev/null"))))
    }

    private static func message(_ path: String) -> String {
        "No test server is told of by \(path). Start the app, and in it MockDeviceKit.shared."
            + "startTestServer(portFilePath:)."
    }
}
