import Foundation
import GlassesDomain
import Testing

@testable import GlassesGateway

@Suite("Memory of a gateway", .timeLimit(.minutes(5)))
struct MemoryEndpointTests {
    private let folder: PrivateFolder
    private var memory: String { folder.url.appendingPathComponent("memory").path }

    init() throws { folder = try PrivateFolder() }

    private func rig(tokens: String = "token-a token-b") throws -> GatewayRig {
        let memory = memory
        return try GatewayRig {
            $0.tokens = try GatewayTokens(variable: tokens)
            $0.memoryFolder = memory
        }
    }

    private func send(
        _ rig: GatewayRig, _ method: String = "GET", token: String = "token-a", user: String? = nil,
        body: String? = nil
    ) async throws -> PlainRequest.Answer {
        var headers = ["Authorization": "Bearer \(token)"]
        headers["x-extentos-end-user-id"] = user
        return try await PlainRequest.send(rig.http + "/memory", method: method, headers: headers, body: body)
    }

    @Test("a profile is kept for each token and user, also by the next gateway and in another order of tokens")
    func kept() async throws {
        let first = try rig()
        #expect(try await send(first).json() == ["profile": [:]])
        let saved = try await send(first, "PUT", user: "ann", body: #"{"profile":{"name":"Ann"}}"#)
        #expect(saved.status == 200)
        #expect(try saved.json() == ["profile": ["name": "Ann"]])
        #expect(try await send(first, user: "bob").json() == ["profile": [:]])
        #expect(try await send(first, token: "token-b", user: "ann").json() == ["profile": [:]])
        await first.gateway.shutDown()
        let second = try rig(tokens: "token-b token-a")
        #expect(try await send(second, user: "ann").json() == ["profile": ["name": "Ann"]])
        _ = try await send(second, "PUT", user: "ann", body: #"{"profile":{}}"#)
        #expect(try await send(second, user: "ann").json() == ["profile": [:]])
    }

    @Test("files are the owner's alone, and their names tell neither token nor user")
    func files() async throws {
        let rig = try rig()
        _ = try await send(rig, "PUT", user: "ann/../../etc", body: #"{"profile":{"a":1}}"#)
        let names = try FileManager.default.contentsOfDirectory(atPath: memory)
        #expect(names.count == 1)
        #expect(names.allSatisfy { !$0.contains("token") && !$0.contains("ann") })
        let file = memory + "/" + (names.first ?? "")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.attributesOfItem(atPath: memory)[.posixPermissions] as? Int == 0o700)
    }

    @Test(
        "what is no profile is refused and changes nothing",
        arguments: [
            ("no json", 400, "invalid_json"), (#"{"profile":5}"#, 400, "missing_required_parameter"),
            ("{}", 400, "missing_required_parameter"), ("large", 413, "profile_too_large"),
        ])
    func refused(body: String, status: Int, code: String) async throws {
        let rig = try rig()
        _ = try await send(rig, "PUT", body: #"{"profile":{"a":1}}"#)
        let large = "{\"profile\":{\"a\":\"\(String(repeating: "x", count: 70_000))\"}}"
        let answer = try await send(rig, "PUT", body: body == "large" ? large : body)
        #expect(answer.status == status)
        #expect(try answer.errorCode() == code)
        #expect(try await send(rig).json() == ["profile": ["a": 1]])
    }

    @Test("a token needs to be right, a secret is none, an id has a length, and a gateway without a folder says so")
    func access() async throws {
        let rig = try rig()
        #expect(try await send(rig, token: "wrong").status == 401)
        #expect(try await send(rig, user: String(repeating: "x", count: 257)).status == 400)
        let forgetful = try GatewayRig()
        let answer = try await PlainRequest.send(forgetful.http + "/memory")
        #expect(answer.status == 404)
        #expect(try answer.errorCode() == "memory_disabled")
    }

    @Test("a token has so many profiles, and others have theirs")
    func quota() async throws {
        let kept = GatewayMemory(folder: memory)
        try kept.save(["a": 1], of: "token token-a", user: "0")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: memory).first)
        let prefix = try #require(name.split(separator: "-").first)
        for number in 1..<GatewayLimits.memoryProfiles {
            #expect(FileManager.default.createFile(atPath: "\(memory)/\(prefix)-\(number).json", contents: Data()))
        }
        let rig = try rig()
        let full = try await send(rig, "PUT", user: "new", body: #"{"profile":{}}"#)
        #expect(full.status == 507)
        #expect(try full.errorCode() == "memory_quota_exceeded")
        #expect(try await send(rig, "PUT", user: "0", body: #"{"profile":{}}"#).status == 200)
        #expect(try await send(rig, "PUT", token: "token-b", user: "new", body: #"{"profile":{}}"#).status == 200)
    }

    @Test("a damaged file and an open folder are told without their path")
    func damaged() async throws {
        let rig = try rig()
        _ = try await send(rig, "PUT", body: #"{"profile":{"a":1}}"#)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: memory).first)
        try Data("{half".utf8).write(to: URL(fileURLWithPath: "\(memory)/\(name)"))
        let broken = try await send(rig)
        #expect(broken.status == 500)
        #expect(try broken.errorCode() == "memory_unavailable")
        #expect(!broken.text.contains(memory))
        // It can be replaced.
        #expect(try await send(rig, "PUT", body: #"{"profile":{"a":2}}"#).status == 200)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: memory)
        #expect(try await send(rig, "PUT", body: #"{"profile":{"a":3}}"#).status == 500)
    }
}
