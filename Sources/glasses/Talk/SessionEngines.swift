import GlassesCore
import GlassesPluginHost

/// Which speech engines serve a session, by what is installed and what the runtime's log says of it.
struct SessionEngines: Sendable, Hashable {
    /// The recogniser's name; nil when none works.
    let recogniser: String?
    /// The voice's name; nil when none works.
    let voice: String?
    /// What judges what is speech.
    let voiceActivity: String
    /// What decides the answers.
    var brain: String?
    /// Why an engine did not work.
    let problem: Problem?
    /// The plugins that have an engine and may not be used.
    let refused: [RefusedPlugin]

    /// Looks at the plugins of `host` and the log lines in `events`, after a session has woken.
    static func read(_ host: PluginHost, events: [RuntimeEvent]) async -> SessionEngines {
        var broken: [String: Problem] = [:]
        for case .log(_, "speech.unavailable", let payload) in events {
            guard let plugin = payload?["plugin"]?.stringValue else { continue }
            broken[plugin] = Problem(
                SpeechEngineError(
                    code: payload?["code"]?.stringValue ?? "engine_unavailable",
                    message: payload?["message"]?.stringValue ?? "The speech engine \(plugin) does not work."))
        }
        let serving = serving(events)
        let scan = await host.scan()
        let name = { (kind: PluginKind) in
            serving[kind.rawValue].map { id in scan.found.first { $0.manifest.id == id }?.manifest.name ?? id }
        }
        return SessionEngines(
            recogniser: name(.stt), voice: name(.tts), voiceActivity: name(.vad) ?? SpeechChoice.energy,
            brain: serving["brain"],
            problem: broken.values.first, refused: scan.refused(kind: .stt) + scan.refused(kind: .tts))
    }

    /// The plugins that serve, by kind.
    private static func serving(_ events: [RuntimeEvent]) -> [String: String] {
        var serving: [String: String] = [:]
        for case .log(_, let message, let payload) in events {
            guard let kind = payload?["kind"]?.stringValue else { continue }
            switch message {
            case "speech.selected": serving[kind] = payload?["plugin"]?.stringValue
            case "speech.fallback": serving[kind] = payload?["to"]?.stringValue
            default: continue
            }
        }
        return serving
    }

    /// What is missing for a conversation that is spoken on these sides; nil when nothing is.
    func missing(microphone: Bool, speaker: Bool) -> Problem? {
        if microphone, recogniser == nil { return why("speech recogniser", .stt) }
        if speaker, voice == nil { return why("voice", .tts) }
        return nil
    }

    private func why(_ noun: String, _ kind: PluginKind) -> Problem {
        problem ?? .missingEngine(noun, refused: refused.first { $0.kinds.contains(kind) })
    }
}
