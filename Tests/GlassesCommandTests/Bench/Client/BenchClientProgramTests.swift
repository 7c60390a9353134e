import Foundation
import GlassesCore
import TestProcess
import Testing

@testable import glasses

/// The program against the C server of the benchmarks, in real time.
@Suite("glasses bench client", .serialized)
struct BenchClientProgramTests {
    private func run(
        _ server: BenchServer, seconds: Double, sessions: Int
    ) async throws -> (report: JSONValue, served: JSONValue) {
        let report = server.folder.appendingPathComponent("client.json")
        var process = TestProcess(
            GlassesProgram.path,
            [
                "bench", "client", "--url", server.url, "--mic", try server.microphone().path, "--seconds",
                "\(seconds)",
                "--report", report.path, "--sessions", "\(sessions)",
            ])
        process.environment = GlassesProgram.environment
        process.limit = .seconds(60)
        let outcome = try await process.run()
        #expect(outcome.code == 0, "\(outcome.errors)")
        let text = try String(contentsOf: report, encoding: .utf8)
        return (try JSONValue(jsonText: text), try server.end())
    }

    private func pairs(_ value: JSONValue?, _ name: String) throws -> [(time: Int64, number: Int64)] {
        try #require(value?[name]?.arrayValue).map { pair in
            (try #require(pair.arrayValue?.first?.intValue), try #require(pair.arrayValue?.last?.intValue))
        }
    }

    @Test("a conversation of 4 s reports every frame, every marker, the barge-in and the tool, and the server agrees")
    func oneSession() async throws {
        let server = try BenchServer(["--barge-every", "1", "--tool-every", "2"])
        let (report, served) = try await run(server, seconds: 4, sessions: 1)
        #expect(report["client"]?.stringValue == "extentos")
        #expect(report["version"]?.stringValue == Extentos.version)
        let ready = try #require(report["t_ready_ns"]?.intValue)
        let end = try #require(report["t_end_ns"]?.intValue)
        #expect(try #require(report["t_main_ns"]?.intValue) < ready)
        #expect(end - ready >= 4_000_000_000)
        let cpu = (try #require(report["cpu_ready_s"]?.doubleValue), try #require(report["cpu_end_s"]?.doubleValue))
        #expect(0 < cpu.0 && cpu.0 < cpu.1)
        #expect(try #require(report["maxrss_kb"]?.intValue) > 0)

        let session = try #require(report["sessions"]?.arrayValue?.first)
        let connection = try #require(served["connections"]?.arrayValue?.first)
        #expect(session["errors"] == [])
        let heard = try pairs(session, "mic")
        #expect(heard.map(\.number) == (0..<200).map { $0 % Int64(BenchServer.microphoneFrames) })
        #expect(heard.allSatisfy { $0.time >= ready })
        #expect(try pairs(connection, "mic").map(\.number) == heard.map(\.number))
        for name in ["odd_appends", "gaps", "malformed", "unknown"] { #expect(connection[name] == .int(0), "\(name)") }

        let delivered = try pairs(session, "delivered").map(\.number)
        #expect(!delivered.isEmpty)
        #expect(try pairs(connection, "sent").map(\.number).starts(with: delivered))
        let played = try pairs(session, "played")
        #expect(played.count == 200)
        let marked = played.map(\.number).filter { $0 >= 0 }
        #expect(!marked.isEmpty && marked == marked.sorted() && Set(marked).isSubset(of: delivered))
        #expect(!played.contains { $0.number < -2 })
        #expect(try #require(session["flush"]?.arrayValue).isEmpty == false)
        let tools = try pairs(session, "tool")
        #expect(!tools.isEmpty && tools.allSatisfy { $0.time <= $0.number })
        #expect(connection["outputs"]?.intValue == Int64(tools.count))
        #expect(connection["creates"]?.intValue == Int64(tools.count))
        for cut in try pairs(connection, "truncated") { #expect((1_000...1_500).contains(cut.number)) }
        #expect(try pairs(connection, "truncated").isEmpty == false)
    }

    @Test("three sessions are reported each, their ticks spread over the 20 ms")
    func threeSessions() async throws {
        let (report, served) = try await run(try BenchServer([]), seconds: 1, sessions: 3)
        let sessions = try #require(report["sessions"]?.arrayValue)
        #expect(sessions.count == 3)
        let ready = try #require(report["t_ready_ns"]?.intValue)
        for (index, session) in sessions.enumerated() {
            #expect(session["errors"] == [])
            #expect(try #require(session["ready_ns"]?.intValue) <= ready)
            let heard = try pairs(session, "mic")
            #expect(heard.count == 50)
            let due = ready + Int64(index) * 20_000_000 / 3
            #expect(zip(0..., heard).allSatisfy { $1.time >= due + Int64($0) * 20_000_000 })
        }
        let connections = try #require(served["connections"]?.arrayValue)
        #expect(connections.map { $0["appends"]?.intValue } == [50, 50, 50])
    }

    @Test("a server that is not there ends the program with 4 and a sentence, and no report is written")
    func noServer() async throws {
        let server = try BenchServer([])
        _ = try server.end()
        let report = server.folder.appendingPathComponent("client.json")
        let outcome = try await GlassesProgram.run([
            "bench", "client", "--url", server.url, "--mic", try server.microphone().path, "--seconds", "1", "--report",
            report.path,
        ])
        #expect(outcome.code == 4)
        #expect(outcome.errors.hasPrefix("glasses: "))
        #expect(!FileManager.default.fileExists(atPath: report.path))
    }

    @Test("a microphone file that is not there ends the program with 2 before anything is connected")
    func noMicrophone() async throws {
        let outcome = try await GlassesProgram.run([
            "bench", "client", "--url", "ws://127.0.0.1:9", "--mic", "/nonexistent/mic.wav", "--seconds", "1",
            "--report", "/nonexistent/out.json",
        ])
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("/nonexistent/mic.wav"))
    }
}
