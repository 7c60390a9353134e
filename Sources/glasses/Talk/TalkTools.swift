import Foundation
import GlassesCore
import Synchronization

/// The tools of the demo assistant.
final class TalkTools: Sendable {
    private struct TimerArguments: Codable, Sendable {
        var seconds: Int
    }

    private struct NoteArguments: Codable, Sendable {
        var note: String
    }

    private let timers: TalkTimers
    private let takePhoto: @Sendable () async -> ExtentosResult<Photo, CaptureError>
    private let memory = TalkMemory()
    private let wantsSleep = Mutex(false)

    init(timers: TalkTimers, takePhoto: @escaping @Sendable () async -> ExtentosResult<Photo, CaptureError>) {
        self.timers = timers
        self.takePhoto = takePhoto
    }

    /// Adds the tools to a session.
    func add(to builder: AssistantConfigBuilder) {
        addTimer(to: builder)
        addMemory(to: builder)
        builder.tool(
            "take_picture", description: "Take a picture with the camera of the glasses, and tell where it was saved."
        ) { [takePhoto] in
            Self.pictureSentence(await takePhoto())
        }
        builder.tool("get_time", description: "Tell what time it is now.") { .ok(Self.timeSentence(Date())) }
        builder.tool("stop", description: "Stop the ringing timer, or end the conversation.") { [self] in
            if await timers.stopRinging() { return .ok("The timer is off.") }
            wantsSleep.withLock { $0 = true }
            return .ok("Good bye.")
        }
    }

    private static func pictureSentence(_ result: ExtentosResult<Photo, CaptureError>) -> ToolResult {
        switch result {
        case .success(let photo):
            let path = photo.uri.flatMap(URL.init(string:))?.path
            return .ok("I took a picture" + (path.map { ". It is at \($0)" } ?? "") + ".")
        case .failure(.platformError("no_camera", _)): return .err("this device has no camera.")
        case .failure(let error): return .err(error.description)
        }
    }

    private func addTimer(to builder: AssistantConfigBuilder) {
        builder.tool(
            "set_timer", description: "Set a timer that rings after a duration.",
            schema: [
                "type": "object",
                "properties": [
                    "seconds": [
                        "type": "integer", "description": "How long until the timer rings, in seconds.", "minimum": 1,
                        "maximum": .int(Int64(TalkTimers.longestSeconds)),
                    ]
                ],
                "required": ["seconds"],
            ]
        ) { [timers] (arguments: TimerArguments) in
            guard (1...TalkTimers.longestSeconds).contains(arguments.seconds) else {
                return .err("a timer takes from 1 second to 24 hours.")
            }
            guard timers.set(seconds: arguments.seconds) else {
                return .err("there are \(TalkTimers.pendingLimit) timers already.")
            }
            return .ok("Timer set for \(SpokenDuration.text(seconds: arguments.seconds)).")
        }
    }

    private func addMemory(to builder: AssistantConfigBuilder) {
        builder.tool(
            "remember", description: "Remember something that the user says.",
            schema: [
                "type": "object",
                "properties": ["note": ["type": "string", "description": "What to remember, in the user's words."]],
                "required": ["note"],
            ]
        ) { [memory] (arguments: NoteArguments) in .ok(memory.remember(arguments.note)) }
        builder.tool("recall", description: "Recall what the user asked to remember.") { [memory] in
            .ok(memory.recall())
        }
    }

    /// Whether the assistant was told to stop with nothing ringing; asking takes the wish back.
    func takeWishToSleep() -> Bool {
        wantsSleep.withLock { wish in
            defer { wish = false }
            return wish
        }
    }

    static func timeSentence(_ date: Date, timeZone: TimeZone = .current) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let time = calendar.dateComponents([.hour, .minute], from: date)
        let (hour, minute) = (time.hour ?? 0, time.minute ?? 0)
        let minutes = minute == 0 ? "" : minute < 10 ? ":0\(minute)" : ":\(minute)"
        return "It is \((hour + 11) % 12 + 1)\(minutes) \(hour < 12 ? "A.M." : "P.M.")"
    }
}
