import Testing

@testable import GlassesPluginConformance

@Suite("The plan of a run")
struct ConformancePlanTests {
    private static func entry(_ id: String, needs: [String] = []) -> ConformanceCase {
        ConformanceCase(id, .entry, "a promise", needs: needs) { _ in }
    }

    private static func result(_ id: String, _ verdict: ConformanceVerdict, _ reason: String? = nil)
        -> ConformanceResult
    {
        ConformanceResult(
            id: id, subject: .entry, promise: "a promise", verdict: verdict, reason: reason, log: [], duration: .zero)
    }

    private func started(_ plan: inout ConformancePlan) -> String? {
        if case .run(let entry) = plan.next().0 { entry.id } else { nil }
    }

    @Test("A case waits for what it needs, while others run")
    func waits() {
        var plan = ConformancePlan(cases: [
            Self.entry("a"), Self.entry("b", needs: ["a"]), Self.entry("c"),
        ])
        #expect(started(&plan) == "a")
        #expect(started(&plan) == "c")
        #expect(started(&plan) == nil)
        plan.decide(Self.result("a", .pass))
        #expect(started(&plan) == "b")
    }

    @Test(
        "What needs a broken promise is skipped, and so is what needs that",
        arguments: [ConformanceVerdict.fail, .crash, .hang])
    func skips(_ verdict: ConformanceVerdict) {
        var plan = ConformancePlan(cases: [
            Self.entry("a"), Self.entry("b", needs: ["a"]), Self.entry("c", needs: ["b"]),
        ])
        _ = plan.next()
        plan.decide(Self.result("a", verdict, "It is broken."))
        let (step, skipped) = plan.next()
        guard case .done = step else { return #expect(Bool(false), "something is left") }
        #expect(skipped.map(\.id) == ["b", "c"])
        #expect(plan.results.map(\.verdict) == [verdict, .skipped, .skipped])
        #expect(plan.results.last?.reason == "needs a, which did not pass")
    }

    @Test("A reason to skip is handed on")
    func handsOn() {
        var plan = ConformancePlan(cases: [Self.entry("a"), Self.entry("b", needs: ["a"])])
        _ = plan.next()
        plan.decide(Self.result("a", .skipped, "the device is not there"))
        #expect(plan.next().skipped.map(\.reason) == ["the device is not there"])
    }

    @Test("Every case of the table has a name of its own and needs only cases that are there and come to an end")
    func catalog() {
        let all = ConformanceCatalog.all
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(all.count > 100)
        var plan = ConformancePlan(cases: all)
        for entry in all {
            for need in entry.needs { #expect(ConformanceCatalog.named(need) != nil, "\(entry.id) needs \(need)") }
            #expect(entry.id.hasPrefix(entry.subject.rawValue + "."), "\(entry.id)")
        }
        var count = 0
        while case .run(let entry) = plan.next().0 {
            plan.decide(Self.result(entry.id, .pass))
            count += 1
        }
        #expect(count == all.count)
    }
}

@Suite("The verdict on a child's end")
struct CaseVerdictTests {
    private func verdict(_ transcript: String, status: Int32?) -> CaseTranscript.Ending {
        CaseChild.Ending(status: status, transcript: CaseTranscript(Array(transcript.utf8))).verdict(limit: .seconds(3))
    }

    @Test(
        "Its own verdict counts, unless it ended otherwise",
        arguments: [
            ("end {\"verdict\":\"pass\"}\n", 0, .pass, nil),
            ("end {\"verdict\":\"fail\",\"reason\":\"Wrong.\"}\n", 0, .fail, "Wrong."),
            ("step f\nend {\"verdict\":\"pass\"}\n", 11, .crash, "The process got signal 11 (f)."),
            ("step f\n", 3 << 8, .crash, "The plugin ended its process, status 3 (f)."),
            ("", 0, .crash, "The plugin ended its process, status 0 (loading)."),
            ("step f\n", nil, .hang, "The plugin did not return within 3000 ms (f)."),
            ("end nonsense\n", 0, .crash, "The plugin ended its process, status 0 (loading)."),
            ("end {\"verdict\":\"splendid\"}\n", 0, .crash, "The plugin ended its process, status 0 (loading)."),
        ] as [(String, Int32?, ConformanceVerdict, String?)])
    func verdicts(_ transcript: String, _ status: Int32?, _ expected: ConformanceVerdict, _ reason: String?) {
        let ending = verdict(transcript, status: status)
        #expect(ending.verdict == expected)
        #expect(ending.reason == reason)
    }

    @Test("The last five lines of the log are kept")
    func log() {
        let text = (1...9).map { "log line \($0)\n" }.joined()
        #expect(CaseTranscript(Array(text.utf8)).log == (5...9).map { "line \($0)" })
    }
}

@Suite("The symbols of a library")
struct ExportedSymbolsTests {
    @Test("Bytes that are no library, cut or garbled ones, have none")
    func hostile() throws {
        #expect(ExportedSymbols([]) == nil)
        #expect(ExportedSymbols([UInt8](repeating: 0x7F, count: 100)) == nil)
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
        header += [UInt8](repeating: 0xFF, count: 200)
        #expect(ExportedSymbols(header) == nil)
    }
}
