import Foundation
import Glibc
import Synchronization

/// The phone that was written in Python from `docs/dat-bridge.md` alone (`Tests/MWDATBridgeTests/Peer`), as a process that
/// a test drives by lines.
package final class PeerPhone: Sendable {
    /// One line of its standard output; the members that tests look at.
    package struct Report: Decodable, Sendable {
        package var event: String
        /// Of `sent` and `received`: the message's kind.
        package var kind: String?
        /// Of `connected`: what it is going to prove.
        package var secret: String?
        /// Of `listening`.
        package var port: Int?
    }

    private struct State {
        var reports: [Report] = []
        /// Lines that are no reports; there should be none.
        var strange: [String] = []
        var exitCode: Int32?
    }

    private let state = Mutex(State())
    private let process = Process()
    /// Our end of its standard input: a socket, because writing to a pipe that nobody reads is a signal.
    private let input: Int32

    /// Where its source and its own tests are.
    package static let folder = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../MWDATBridgeTests/Peer").standardized.path

    /// Starts it. `way` is `--connect` or `--listen`; its keys are kept in `file`, whose folder is made; `code` is what
    /// its person types, empty for nothing yet.
    package init(_ way: String, _ url: String, keeping file: String, code: String = "", _ more: [String] = []) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw POSIXError(.EMFILE)
        }
        let (ours, its) = (ends[0], ends[1])
        input = ours
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-B", Self.folder, way, url, "--state", file, "--deadline", "300"] + more
        var variables = ProcessInfo.processInfo.environment
        variables["DAT_PEER_CODE"] = code
        process.environment = variables
        process.standardInput = FileHandle(fileDescriptor: its, closeOnDealloc: true)
        let output = Pipe()
        process.standardOutput = output
        do { try process.run() } catch {
            close(ours)
            throw error
        }
        Thread.detachNewThread { [self] in follow(output.fileHandleForReading) }
    }

    deinit { close(input) }

    /// Everything it told, in order.
    package var reports: [Report] { state.withLock { $0.reports } }
    /// Lines of its standard output that are no reports; there should be none.
    package var strangeLines: [String] { state.withLock { $0.strange } }
    /// Nil while it runs.
    package var exitCode: Int32? { state.withLock { $0.exitCode } }

    /// How many reports there are of an event, and of a kind of message.
    package func count(_ event: String, kind: String? = nil) -> Int {
        reports.filter { $0.event == event && (kind == nil || $0.kind == kind) }.count
    }

    /// What it was going to prove in each of its greetings.
    package var secrets: [String?] { reports.filter { $0.event == "connected" }.map(\.secret) }

    /// A line for its standard input; lines to a process that has ended are lost.
    package func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Ends it in any case.
    package func end() {
        guard exitCode == nil else { return }
        kill(process.processIdentifier, SIGKILL)
    }

    private func follow(_ handle: FileHandle) {
        var rest = Data()
        while true {
            let piece = handle.availableData
            if piece.isEmpty { break }
            rest += piece
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                note(Data(rest[..<end]))
                rest = Data(rest[(end + 1)...])
            }
        }
        process.waitUntilExit()
        state.withLock { $0.exitCode = process.terminationStatus }
    }

    private func note(_ line: Data) {
        do {
            let report = try JSONDecoder().decode(Report.self, from: line)
            state.withLock { $0.reports.append(report) }
        } catch {
            state.withLock { $0.strange.append(String(decoding: line, as: UTF8.self)) }
        }
    }
}
