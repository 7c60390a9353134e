import GlassesDomain
import Synchronization

/// Watches one instance of a plugin: reports what it does wrong by function name, and disables it where the policy says so.
final class CallMonitor: Sendable {
    /// The plugin's id.
    let plugin: String
    /// How closely it is watched.
    let checking: CallChecking
    private let policy: MisbehaviourPolicy
    /// Whether a hang is the end of the instance: not where a child is replaced.
    private let hangDisables: Bool
    private let onMisbehaviour: @Sendable (PluginMisbehaviour) -> Void
    private let state = Mutex(State())

    private struct State {
        var isDisabled = false
        var reports = 0
    }

    /// A plugin that breaks the rules a thousand times has been reported often enough.
    private static let reportLimit = 1_000

    init(
        plugin: String, checking: CallChecking, policy: MisbehaviourPolicy, hangDisables: Bool = true,
        onMisbehaviour: @escaping @Sendable (PluginMisbehaviour) -> Void
    ) {
        self.plugin = plugin
        self.checking = checking
        self.policy = policy
        self.hangDisables = hangDisables
        self.onMisbehaviour = onMisbehaviour
    }

    /// Whether the instance may be called no more.
    var isDisabled: Bool { state.withLock { $0.isDisabled } }

    /// Reports what `function` did, if that is looked at from `level` on.
    func report(_ kind: PluginMisbehaviour.Kind, in function: String, from level: CallChecking = .minimal) {
        let isHang = if case .hung = kind { true } else { false }
        guard isHang || checking >= level else { return }
        let isReported = state.withLock { state in
            if isHang && hangDisables || policy == .disable { state.isDisabled = true }
            state.reports += 1
            return state.reports <= Self.reportLimit
        }
        if isReported { onMisbehaviour(PluginMisbehaviour(plugin: plugin, function: function, kind: kind)) }
    }

    /// A text that a plugin handed over as `function`'s argument; nil when it breaks the rules.
    func text(_ text: CText?, in function: String) -> String? {
        guard let text else { return nil }
        if text.isTooLong { report(.textTooLong, in: function) }
        if !text.isTooLong, text.text == nil { report(.textNotUTF8, in: function) }
        return text.text
    }

    /// The JSON object that a plugin handed over; nil for null and for everything that is not one.
    func object(_ text: CText?, in function: String) -> JSONValue? {
        guard let text = self.text(text, in: function) else { return nil }
        do {
            let value = try JSONValue(jsonText: text)
            if case .object = value { return value }
        } catch {
            // Reported below, with the texts that are JSON but no object.
        }
        report(.notJSON, in: function, from: .maximal)
        return nil
    }
}

extension CallMonitor {
    /// Reports a call that nobody waits for otherwise, if it hung.
    func reportHang(_ outcome: Result<Void, PluginCallError>, limit: Duration) {
        if case .failure(.hung(let function)) = outcome, !isDisabled { report(.hung(limit: limit), in: function) }
    }
}
