import Foundation
import GlassesCore

private let help = """
    /wake /sleep /stop           the session's life
    /say TEXT, /keep TEXT        speaks it; /keep is not cut by a voice
    /greet [HOW]                 greets anew
    /hush                        ends the answer that is spoken
    /look FILE, /frame FILE      shows a picture, or a frame of video
    /voice NAME, /model NAME     answers so from now on
    /models                      the models that are known by name, with their voices
    /think HOW, /be HOW          thinks minimal, low, medium, high or xhigh; behaves so
    /begin /end /back            a turn, where the app tells of turns
    /try TOOL                    runs a tool without a model
    /history, /forget, /note TEXT, /shorten
    everything else              is what the user says
    """

/// Carries out what was typed.
func carryOut(_ text: String, _ session: any AssistantSession, _ glasses: any ExtentosGlasses) async throws {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first {
    case nil: return
    case "/help": print(help)
    case "/wake": try await session.wake()
    case "/sleep": try await session.sleep()
    case "/stop": await session.stop()
    case "/say": try await session.say(rest)
    case "/keep": try await session.say(rest, interruptible: false)
    case "/greet": if rest.isEmpty { try await session.greet() } else { try await session.greet(rest) }
    case "/hush": await session.cancelSpeak()
    case "/look": try await session.includeImage(uri: rest, prompt: "The user shows you this.")
    case "/frame": try await show(rest, session)
    case "/voice": try await session.setVoice(rest)
    case "/model": try await session.setModel(rest)
    case "/models": for model in AssistantCatalogue.models { print(line(for: model)) }
    case "/think": if let effort = ReasoningEffort(rawValue: rest) { try await session.setReasoningEffort(effort) }
    case "/be": try await session.updateInstructions(rest)
    case "/begin": try await session.beginTurn()
    case "/end": try await session.endTurn()
    case "/back": await session.cancelTurn()
    case "/try":
        guard let tool = session.config.tools.first(where: { $0.name == rest }) else { return print("No such tool.") }
        print("\(tool.description) (\(tool.blocking ? "waits" : "talks on")) \(try await tool.body([:]))")
    case "/history": for turn in session.conversationHistory(limit: 20) { print(line(for: turn)) }
    case "/forget": session.clearHistory()
    case "/note": session.appendHistory(.userText(text: rest, timestampMs: milliseconds()))
    case "/shorten": session.replaceHistory(Array(session.conversationHistory().suffix(4)))
    case "/again":
        await session.stop()
        // The session ends with the client's knowledge of it; another one takes its place.
        if glasses.assistant.activeSession == nil {
            try await glasses.assistant.start(provider: .managed()) { configure($0, of: glasses) }
        }
    default: try await session.sendText(text)
    }
}

/// Shows a frame of video to a model that looks at video, and else a picture.
private func show(_ path: String, _ session: any AssistantSession) async throws {
    guard session.modelSupportsVideoInput else { return try await session.includeImage(uri: path) }
    let file = try Data(contentsOf: URL(fileURLWithPath: path))
    if path.hasSuffix(".png") {
        try await session.sendVideoFrame(file, mimeType: "image/png")
    } else {
        try await session.sendVideoFrame(file)
    }
}

private func milliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
