import GlassesDomain

extension InterceptedEvent {
    /// A runtime event as interceptors see it.
    init(_ event: RuntimeEvent, timestampMs: Int64) {
        switch event {
        case .toggleChanged(let key, let old, let new, let source):
            self.init(
                name: "toggle.changed",
                payload: ["key": .string(key), "old": old, "new": new, "source": .string(String(describing: source))],
                timestampMs: timestampMs)
        case .log(let level, let message, let payload):
            self.init(
                name: "log",
                payload: [
                    "level": .string(String(describing: level)), "message": .string(message),
                    "payload": payload ?? .null,
                ],
                timestampMs: timestampMs)
        case .assistant(let event):
            self.init(name: "assistant.\(event.name)", payload: .object(event.fields), timestampMs: timestampMs)
        }
    }
}
