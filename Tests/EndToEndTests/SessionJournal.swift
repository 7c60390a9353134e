import Glibc
import GlassesDomain
import GlassesPluginHost
import Synchronization

/// What a session went through, as an app sees it.
final class SessionJournal: Sendable {
    private let seenEvents = Mutex<[AssistantEvent]>([])
    private let seenStates = Mutex<[AssistantState]>([])
    private let seenTransportErrors = Mutex<[String]>([])

    /// Keeps the events of `glasses` from now on.
    init(_ glasses: any ExtentosGlasses) {
        let events = glasses.runtime.events
        Task { [weak self] in
            for await event in events { self?.keep(event) }
        }
    }

    private func keep(_ event: RuntimeEvent) {
        switch event {
        case .assistant(let event): seenEvents.withLock { $0.append(event) }
        case .log(_, "transport.error", let payload):
            seenTransportErrors.withLock { $0.append(payload?["code"]?.stringValue ?? "") }
        case .log, .toggleChanged: break
        }
    }

    /// Keeps the states of `session` from now on, the present one first.
    func follow(_ session: any AssistantSession) {
        let states = session.state.stream
        Task { [weak self] in for await state in states { self?.seenStates.withLock { $0.append(state) } } }
    }

    /// The events so far.
    var events: [AssistantEvent] { seenEvents.withLock { $0 } }

    /// The states so far.
    var states: [AssistantState] { seenStates.withLock { $0 } }

    /// The codes of what the device reported by itself.
    var transportErrors: [String] { seenTransportErrors.withLock { $0 } }

    /// The errors that an app was told of.
    var errors: [AssistantEvent] { events.filter { if case .error = $0 { true } else { false } } }

    /// What the user said.
    var transcripts: [String] {
        events.compactMap { if case .userSpoke(let transcript) = $0 { transcript } else { nil } }
    }

    /// How many answers have begun to be heard, and how many have ended.
    var audible: (started: Int, finished: Int) {
        (events.count { $0 == .assistantAudioStarted }, events.count { $0 == .assistantAudioFinished })
    }
}

/// The processes that carry a plugin, one after another.
final class PluginProcesses: Sendable {
    private let processes = Mutex<[pid_t]>([])

    /// Adds the one that a change tells of.
    func add(_ change: PluginChildEvent.Change) {
        switch change {
        case .started(let process), .replaced(let process, _): processes.withLock { $0.append(process) }
        case .died, .givenUp: break
        }
    }

    /// Those so far.
    var all: [pid_t] { processes.withLock { $0 } }
}

/// The log lines of plugins.
final class PluginLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// Adds a line.
    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// The lines so far.
    var all: [String] { lines.withLock { $0 } }
}
