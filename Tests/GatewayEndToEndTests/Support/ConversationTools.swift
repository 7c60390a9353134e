import GlassesDomain
import Synchronization

/// The tools of the scripted conversation: slow enough to be hit, and counted.
final class ConversationTools: Sendable {
    private struct TimerArguments: Codable, Sendable {
        var seconds: Int
    }

    private let runs = Mutex<[String]>([])

    /// The names of the tools whose bodies ran, in order.
    var bodiesRun: [String] { runs.withLock { $0 } }

    /// Adds the tools to a session.
    func add(to builder: AssistantConfigBuilder) {
        builder.tool("get_time", description: "Tell what time it is now.") { [self] in
            try await run("get_time", for: .milliseconds(300))
            return .ok("It is noon.")
        }
        builder.tool("take_picture", description: "Take a picture with the camera of the glasses.") { [self] in
            try await run("take_picture", for: .milliseconds(1_500))
            return .ok("The picture is taken.")
        }
        builder.tool(
            "set_timer", description: "Set a timer that rings after a duration.",
            schema: [
                "type": "object",
                "properties": [
                    "seconds": ["type": "integer", "description": "How long until the timer rings, in seconds."]
                ],
                "required": ["seconds"],
            ]
        ) { [self] (arguments: TimerArguments) in
            try await run("set_timer", for: .milliseconds(500))
            return .ok("The timer for \(arguments.seconds) seconds is set.")
        }
    }

    private func run(_ name: String, for duration: Duration) async throws {
        runs.withLock { $0.append(name) }
        try await Task.sleep(for: duration)
    }
}
