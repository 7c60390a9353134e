import CGlassesPlugin
import GlassesDomain
import GlassesPluginHost
import Glibc

/// What instances of every kind share: settings, callbacks' struct, activate, describe, destroy.
enum InstanceCases {
    /// The cases of one kind; its facts are checked by `checkFacts`.
    static func all(
        _ kind: PluginKind, _ subject: ConformanceSubject,
        checkFacts: @escaping @Sendable (JSONValue) throws(CaseEnd) -> Void
    ) -> [ConformanceCase] {
        creation(kind, subject) + hosts(kind, subject) + life(kind, subject, checkFacts) + description(kind, subject)
    }

    private static func creation(_ kind: PluginKind, _ subject: ConformanceSubject) -> [ConformanceCase] {
        let name = subject.rawValue
        return [
            ConformanceCase(
                name + ".create", subject, "create answers an instance with its size and every function",
                needs: ["entry.factories"]
            ) { run throws(CaseEnd) in
                let instance = try InstanceUnderTest.created(kind, run)
                let raw = StructUnderTest(pointer: instance.table, name: InstanceUnderTest.structName(kind))
                try raw.check(size: InstanceUnderTest.tableSize(kind), firstFunction: 16)
            },
            ConformanceCase(
                name + ".unknown-settings", subject, "unknown keys of the settings are ignored",
                needs: [name + ".create"]
            ) { run throws(CaseEnd) in
                let settings = try SettingsText(run).adding("{\"a\":[1,null,true,\"\\u00e9\"]}")
                _ = try InstanceUnderTest.created(kind, run, settings: settings)
            },
            ConformanceCase(
                name + ".large-settings", subject, "settings of 64 KiB are read", needs: [name + ".create"]
            ) { run throws(CaseEnd) in
                let text = try SettingsText(run)
                let filler = Int(GLASSES_MESSAGE_MAX) - text.adding("\"\"").utf8.count
                let settings = text.adding("\"\(String(repeating: "x", count: max(0, filler)))\"")
                _ = try InstanceUnderTest.created(kind, run, settings: settings)
            },
            ConformanceCase(
                name + ".deep-settings", subject,
                "settings nested 10,000 levels deep are ignored or refused with INVALID",
                needs: [name + ".create"]
            ) { run throws(CaseEnd) in
                let depth = 10_000
                let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                let creation = try InstanceUnderTest.create(
                    kind, try EntryUnderTest.activated(run), run, settings: try SettingsText(run).adding(value))
                try expect(
                    [GLASSES_OK, GLASSES_ERROR_INVALID].contains(Int(creation.result)),
                    "create answered \(KnownResults.name(creation.result)).")
            },
            ConformanceCase(
                name + ".invalid-settings", subject, "settings that are no JSON object are refused with INVALID",
                needs: [name + ".create"]
            ) { run throws(CaseEnd) in
                let entry = try EntryUnderTest.activated(run)
                for settings in ["[]", "7", "{", "\"text\"", "nonsense"] {
                    let creation = try InstanceUnderTest.create(kind, entry, run, settings: settings)
                    try expect(
                        creation.result == GLASSES_ERROR_INVALID,
                        "create answered \(KnownResults.name(creation.result)) to the settings \(settings).")
                }
            },
        ]
    }

    private static func hosts(_ kind: PluginKind, _ subject: ConformanceSubject) -> [ConformanceCase] {
        let name = subject.rawValue
        return [
            ConformanceCase(
                name + ".newer-host", subject, "a larger struct of callbacks, from a newer host, is accepted",
                needs: [name + ".create"]
            ) { run throws(CaseEnd) in
                let size = (CallbackTable.size(for: kind) ?? 0) + 64
                let creation = try InstanceUnderTest.create(
                    kind, try EntryUnderTest.activated(run), run, hostSize: size)
                try expect(creation.result == GLASSES_OK, "create answered \(KnownResults.name(creation.result)).")
            },
            ConformanceCase(
                name + ".smaller-host", subject,
                "a struct of callbacks that is too small is refused with VERSION, and not read past its end",
                needs: [name + ".create"]
            ) { run throws(CaseEnd) in
                // Size, reserved and context: a struct without a single callback.
                let size = 16
                let creation = try InstanceUnderTest.create(
                    kind, try EntryUnderTest.activated(run), run, hostTable: try GuardedMemory.ending(after: size),
                    hostSize: size)
                try expect(
                    creation.result == GLASSES_ERROR_VERSION, "create answered \(KnownResults.name(creation.result)).")
            },
        ]
    }

    private static func life(
        _ kind: PluginKind, _ subject: ConformanceSubject,
        _ checkFacts: @escaping @Sendable (JSONValue) throws(CaseEnd) -> Void
    ) -> [ConformanceCase] {
        let name = subject.rawValue
        return [
            ConformanceCase(
                name + ".activate", subject, "activate makes the instance ready, or says UNAVAILABLE",
                needs: [name + ".create"]
            ) { run throws(CaseEnd) in _ = try InstanceUnderTest.activated(kind, run) },
            ConformanceCase(
                name + ".describe", subject, "describe is a JSON object with every required fact",
                needs: [name + ".activate"]
            ) { run throws(CaseEnd) in try checkFacts(try InstanceUnderTest.activated(kind, run).facts()) },
            ConformanceCase(
                name + ".destroy", subject, "destroy returns within 2 s, and no callback comes afterwards",
                needs: [name + ".activate"]
            ) { run throws(CaseEnd) in
                try Endings.checkDestroy(of: try InstanceUnderTest.activated(kind, run))
            },
            ConformanceCase(
                name + ".early-destroy", subject, "an instance that was never activated can be destroyed",
                needs: [name + ".destroy"]
            ) { run throws(CaseEnd) in
                try Endings.checkDestroy(of: try InstanceUnderTest.created(kind, run))
            },
            ConformanceCase(
                name + ".instances", subject, "an instance lives on when another one is destroyed",
                needs: [name + ".describe", name + ".destroy"]
            ) { run throws(CaseEnd) in
                let entry = try EntryUnderTest.activated(run)
                let first = try InstanceUnderTest.created(kind, entry, run)
                let second = try Endings.another(kind, entry, run)
                try first.activate()
                try second.activate()
                first.destroy()
                _ = try second.facts()
                second.destroy()
            },
            ConformanceCase(
                name + ".instance-cycles", subject,
                "creating and destroying instances over and over leaves no memory, thread or descriptor",
                needs: [name + ".destroy"], limit: .seconds(90)
            ) { run throws(CaseEnd) in
                let entry = try EntryUnderTest.activated(run)
                try GrowthWatch.check(run, "create and destroy") { _ throws(CaseEnd) in
                    let instance = try InstanceUnderTest.created(kind, entry, run)
                    try instance.activate()
                    instance.destroy()
                }
            },
        ]
    }

    private static func description(_ kind: PluginKind, _ subject: ConformanceSubject) -> [ConformanceCase] {
        let name = subject.rawValue
        return [
            ConformanceCase(
                name + ".describe-buffer", subject,
                "describe writes nothing past its buffer and says TOO_LARGE with the needed length",
                needs: [name + ".describe"]
            ) { run throws(CaseEnd) in
                let instance = try InstanceUnderTest.activated(kind, run)
                let needed = try instance.description().count
                for capacity in [needed + 1, needed - 1, needed / 2, 1, 0] {
                    let buffer = try GuardedMemory.ending(after: capacity).assumingMemoryBound(to: CChar.self)
                    let (result, length) = instance.describe(buffer, capacity)
                    let wanted = capacity > needed ? GLASSES_OK : GLASSES_ERROR_TOO_LARGE
                    try expect(
                        result == wanted && length == needed,
                        "describe answered \(KnownResults.name(result)) and the length \(length) for \(capacity) of "
                            + "\(needed) bytes and the NUL.")
                }
            },
            ConformanceCase(
                name + ".describe-constant", subject, "describe says the same each time", needs: [name + ".describe"]
            ) { run throws(CaseEnd) in
                let instance = try InstanceUnderTest.activated(kind, run)
                let first = try instance.description()
                for _ in 0..<3 {
                    try expect(try instance.description() == first, "describe said something else the next time.")
                }
            },
        ]
    }
}

/// The settings of the run as text, with one more member.
private struct SettingsText {
    private let start: String

    init(_ run: CaseRun) throws(CaseEnd) {
        let text = run.settings.trimmedOfSpace
        guard text.hasPrefix("{"), text.hasSuffix("}") else { throw .skipped("the settings given are no object") }
        let members = String(text.dropLast())
        start = members + (members.dropFirst().trimmedOfSpace.isEmpty ? "" : ",")
    }

    func adding(_ value: String) -> String { start + "\"org.example.unknown\":" + value + "}" }
}

extension StringProtocol {
    /// Without the white space of JSON at both ends.
    fileprivate var trimmedOfSpace: String {
        let space: Set<Character> = [" ", "\n", "\t", "\r", "\r\n"]
        return String(drop { space.contains($0) }.reversed().drop { space.contains($0) }.reversed())
    }
}
