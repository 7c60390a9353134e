import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct ToolLedgerTests {
    private func call(_ ledger: inout ToolLedger, _ id: String, _ name: String = "work") -> [ToolLedgerAction] {
        ledger.apply(.called(responseID: "r1", callID: id, name: name, arguments: "{}"), at: .zero)
    }

    private func isRun(_ actions: [ToolLedgerAction]) -> Bool {
        actions.contains { if case .run = $0 { true } else { false } }
    }

    private func outcomes(_ actions: [ToolLedgerAction]) -> [ToolOutcome] {
        actions.compactMap { if case .end(let outcome) = $0 { outcome } else { nil } }
    }

    @Test func withEightPlacesTakenACallIsAnsweredBusyAndAFreePlaceTakesTheNext() {
        var ledger = ToolLedger(tools: [ToolFacts(name: "work", schema: [:])])
        for number in 1...8 { #expect(isRun(call(&ledger, "c\(number)"))) }
        let ninth = call(&ledger, "c9")
        #expect(!isRun(ninth))
        #expect(outcomes(ninth).map(\.output) == ["work was not run: busy, 8 tools are running. Try again later."])
        // A timed-out body that does not end keeps its place.
        _ = ledger.apply(.timedOut(callID: "c1"), at: .zero)
        #expect(!isRun(call(&ledger, "c10")))
        _ = ledger.apply(.threw(callID: "c1", message: "cancelled"), at: .zero)
        #expect(isRun(call(&ledger, "c11")))
    }

    @Test func durationsAreMeasuredFromTheCall() {
        var ledger = ToolLedger(tools: [ToolFacts(name: "work", schema: [:])])
        _ = call(&ledger, "c1")
        let later = MonotonicTime.zero.advanced(by: .milliseconds(321))
        let ended = outcomes(ledger.apply(.returned(callID: "c1", output: "x", isError: false), at: later))
        #expect(ended.map(\.duration) == [.milliseconds(321)])
    }

    @Test func eachToolHasItsOwnTimeout() {
        var ledger = ToolLedger(tools: [
            ToolFacts(name: "work", schema: [:]), ToolFacts(name: "quick", schema: [:], timeout: .milliseconds(1500)),
        ])
        #expect(call(&ledger, "c1").contains(.schedule(.toolTimeout(callID: "c1"), after: .seconds(30))))
        let quick = call(&ledger, "c2", "quick")
        #expect(quick.contains(.schedule(.toolTimeout(callID: "c2"), after: .milliseconds(1500))))
        let ended = outcomes(ledger.apply(.timedOut(callID: "c2"), at: .zero))
        #expect(ended.map(\.output) == ["quick timed out after 1500 ms and was cancelled."])
    }

    @Test func factsOfUnknownCallsChangeNothing() {
        var ledger = ToolLedger(tools: [])
        let before = ledger
        for input in [
            ToolLedgerInput.returned(callID: "x", output: "", isError: false), .threw(callID: "x", message: ""),
            .timedOut(callID: "x"), .overran(callID: "x"), .answerEnded(responseID: "x"), .silenced, .interrupted,
            .sessionEnded,
        ] {
            let actions = ledger.apply(input, at: .zero)
            #expect(actions.isEmpty)
        }
        #expect(ledger == before)
    }

    @Test func anErrorIsAnObjectForTheModelAndWholeCharactersWithinTheLimit() {
        #expect(ToolOutput.wireText("no \"milk\"", isError: true) == #"{"error":"no \"milk\""}"#)
        let huge = ToolOutput.wireText(String(repeating: "\u{1}é", count: 100_000), isError: true)
        #expect(huge.utf8.count <= ToolOutput.limit)
        #expect(throws: Never.self) { try JSONValue(jsonText: huge) }
        #expect(ToolOutput.capped("short") == "short")
        let exact = String(repeating: "x", count: ToolOutput.limit)
        #expect(ToolOutput.capped(exact) == exact)
        #expect(ToolOutput.capped(exact + "y").utf8.count == ToolOutput.limit)
    }
}
