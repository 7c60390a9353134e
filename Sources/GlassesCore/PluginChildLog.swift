import GlassesDomain
import GlassesPluginHost

/// What is told of plugins' child processes, as log events: `plugin.started`, `plugin.died`, `plugin.replaced` and
/// `plugin.given_up`. A child that is replaced within a second changes no state: these events and their counters are all that tells.
struct PluginChildLog: Sendable {
    /// Writes a line of a level; level nil means that it is delivered whatever the log level is.
    let write: @Sendable (LogLevel?, String, JSONValue) -> Void

    /// What happened to a child.
    func tell(_ event: PluginChildEvent) {
        switch event.change {
        case .started(let process): write(.info, "plugin.started", event.payload(["process": .int(Int64(process))]))
        case .died(let code, let reason):
            write(nil, "plugin.died", event.payload(["code": .string(code), "reason": .string(reason)]))
        case .replaced(let process, let downtime):
            let outage = JSONValue.int(downtime.wholeMilliseconds)
            write(nil, "plugin.replaced", event.payload(["process": .int(Int64(process)), "outageMs": outage]))
        case .givenUp(let code, let message):
            write(nil, "plugin.given_up", event.payload(["code": .string(code), "message": .string(message)]))
        }
    }
}

extension PluginChildEvent {
    fileprivate func payload(_ own: [String: JSONValue]) -> JSONValue {
        let common: [String: JSONValue] = [
            "plugin": .string(plugin), "kind": .string(kind.rawValue), "deaths": .int(Int64(record.deaths)),
            "replacements": .int(Int64(record.replacements)),
            "downtimeMs": .int(record.downtime.wholeMilliseconds),
        ]
        return .object(common.merging(own) { $1 })
    }
}
