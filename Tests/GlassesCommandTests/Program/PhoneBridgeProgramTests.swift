import Foundation
import GlassesCore
import PeerPhone
import TestProcess
import Testing

@testable import glasses

@Suite("The program with the glasses of a phone that was written in another language")
final class PhoneBridgeProgramTests: Sendable {
    private let root = NSTemporaryDirectory() + "phone-bridge-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false) }

    deinit { do { try FileManager.default.removeItem(atPath: root) } catch { print("left behind: \(root)") } }

    /// Takes a photo. What the program tells a person goes to the file `errors` in the folder.
    private func photo(_ port: Int) async throws -> TestProcess.Outcome {
        let script = #"exec "$0" photo --device meta --bridge "$2" --json 2> "$1/errors""#
        var process = TestProcess("/bin/bash", ["-c", script, GlassesProgram.path, root, "tcp://127.0.0.1:\(port)"])
        process.environment = GlassesProgram.environment.merging(["XDG_CACHE_HOME": root, "HOME": root]) { $1 }
        process.limit = .seconds(120)
        return try await process.run()
    }

    private var told: String {
        FileManager.default.contents(atPath: root + "/errors").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func wait<Value>(_ what: String, _ value: () -> Value?) async throws -> Value {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(60) {
            if let value = value() { return value }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("\(what) never came: \(told)")
        throw CancellationError()
    }

    @Test("A new phone is let in by the code that is shown, and a known one without")
    func pairing() async throws {
        let peer = try PeerPhone("--listen", "tcp://127.0.0.1:0", keeping: root + "/peer/phone.json")
        defer { peer.end() }
        let port = try await wait("the phone's port") { peer.reports.compactMap(\.port).first }
        async let first = photo(port)
        let code = try await wait("a code") {
            told.firstMatch(of: #/the code is (\S+?)\. /#).map { String($0.output.1) }
        }
        peer.tell("code " + code)
        peer.tell("reconnect")
        let outcome = try await first
        #expect(outcome.code == 0, "\(told)")
        let event = try #require(try outcome.events().first)
        #expect(event["path"]?.stringValue?.contains(root) == true)
        #expect(!outcome.output.contains(code))

        peer.tell("reconnect")
        let second = try await photo(port)
        #expect(second.code == 0, "\(told)")
        #expect(!told.contains("the code is"))
        #expect(peer.reports.filter { $0.event == "connected" }.compactMap(\.secret).suffix(1) == ["key"])
    }

    @Test(
        "Addresses and devices that do not fit are refused",
        arguments: [
            ["--device", "meta", "--bridge", "http://a:1"], ["--device", "meta", "--bridge", "tcp://"],
            ["--bridge", "tcp://a:1"],
            ["--device", "meta", "--mock", "--bridge", "tcp://a:1"],
        ])
    func refusals(_ options: [String]) async throws {
        let outcome = try await GlassesProgram.run(["photo"] + options)
        #expect(outcome.code == 2 && outcome.errors.contains("--bridge"))
    }
}
