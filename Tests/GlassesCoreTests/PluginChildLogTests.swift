import GlassesDomain
import Synchronization
import Testing

@testable @_spi(ExtentosTools) import GlassesCore
@testable import GlassesPluginHost

@Suite("What is told of plugins' children")
struct PluginChildLogTests {
    private static let record = PluginChildRecord(deaths: 2, replacements: 1, downtime: .milliseconds(120))

    private static let table:
        [(change: PluginChildEvent.Change, level: LogLevel?, message: String, own: [String: JSONValue])] =
            [
                (.started(process: 7), .info, "plugin.started", ["process": 7]),
                (
                    .died(code: "plugin_crashed", reason: "signal 9"), nil, "plugin.died",
                    ["code": "plugin_crashed", "reason": "signal 9"]
                ),
                (
                    .replaced(process: 8, downtime: .milliseconds(70)), nil, "plugin.replaced",
                    ["process": 8, "outageMs": 70]
                ),
                (
                    .givenUp(code: "plugin_crashed", message: "It failed."), nil, "plugin.given_up",
                    ["code": "plugin_crashed", "message": "It failed."]
                ),
            ]

    @Test("Each change of a child is one line with the counters of its instance", arguments: table.indices)
    func lines(_ index: Int) {
        let (change, level, message, own) = Self.table[index]
        let told = Mutex<(LogLevel?, String, JSONValue)?>(nil)
        PluginChildLog { level, message, payload in told.withLock { $0 = (level, message, payload) } }
            .tell(PluginChildEvent(plugin: "org.example", kind: .stt, change: change, record: Self.record))
        let line = told.withLock { $0 }
        let counters: [String: JSONValue] = [
            "plugin": "org.example", "kind": "stt", "deaths": 2, "replacements": 1, "downtimeMs": 120,
        ]
        #expect(line?.0 == level)
        #expect(line?.1 == message)
        #expect(line?.2 == .object(counters.merging(own) { $1 }))
    }
}
