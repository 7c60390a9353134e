import Foundation
import GlassesDomain
import SoundServer
import Testing

/// `glasses gateway` of this build on a free port, serving the pipeline; ends with the value.
final class GatewayProcess {
    let process: ChildProcess
    /// `ws://127.0.0.1:PORT/v1`.
    let socket: String
    /// `http://127.0.0.1:PORT/v1`.
    var base: String { "http" + socket.dropFirst(2) }

    /// A gateway in front of another one: it relays `model` there, with the other one's key.
    static func relay(
        of model: String, to upstream: GatewayProcess, upstreamKey: String, key: String, in folder: URL
    ) async throws -> GatewayProcess {
        let file = folder.appending(path: "upstream.json")
        let route: JSONValue = [
            "url": .string(upstream.socket), "model": "local", "key": ["env": "UPSTREAM_KEY"],
        ]
        let upstreams: JSONValue = ["default": .string(model), "models": .object([model: route])]
        try Data(upstreams.jsonText.utf8).write(to: file)
        return try await GatewayProcess(
            key: key, in: folder, arguments: ["--upstream", file.path], variables: ["UPSTREAM_KEY": upstreamKey])
    }

    /// A gateway whose chats of `model` another one answers.
    static func chatRelay(
        of model: String, to upstream: GatewayProcess, upstreamKey: String, key: String, in folder: URL,
        arguments: [String]
    ) async throws -> GatewayProcess {
        let file = folder.appending(path: "chat-upstream.json")
        let route: JSONValue = [
            "url": .string(upstream.base), "model": "their-model", "key": ["env": "UPSTREAM_KEY"],
        ]
        let upstreams: JSONValue = ["chat": ["models": .object([model: route])]]
        try Data(upstreams.jsonText.utf8).write(to: file)
        return try await GatewayProcess(
            key: key, in: folder, arguments: arguments + ["--upstream", file.path],
            variables: ["UPSTREAM_KEY": upstreamKey])
    }

    init(
        key: String, in folder: URL, arguments: [String] = [], variables: [String: String] = [:]
    ) async throws {
        let output = folder.appending(path: "gateway-\(UInt32.random(in: .min ... .max)).output").path
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "glasses").path
        var environment = ProcessInfo.processInfo.environment
        environment["EXTENTOS_PLUGIN_PATH"] = nil
        environment["XDG_DATA_HOME"] = "/nonexistent"
        environment["EXTENTOS_GATEWAY_TOKENS"] = key
        environment.merge(variables) { _, added in added }
        process = try ChildProcess(
            program, ["gateway", "--listen", "127.0.0.1:0", "--json"] + arguments, environment: environment,
            output: output)
        let deadline = ContinuousClock.now + .seconds(20)
        var first: Substring?
        while first == nil, !process.hasEnded, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
            let text = try String(contentsOfFile: output, encoding: .utf8)
            if text.contains("\n") { first = text.split(separator: "\n").first }
        }
        let line = try #require(first.map(String.init), "the gateway tells where it listens")
        let event = try JSONValue(jsonText: line)
        #expect(event["event"]?.stringValue == "listening", "the first line is \(line)")
        socket = try #require(event["url"]?.stringValue)
    }

    /// Ends it as a service manager does; its exit status.
    func stop() -> Int32? {
        process.end(SIGTERM)
        return process.wait()
    }
}
