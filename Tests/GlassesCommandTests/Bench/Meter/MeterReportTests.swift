import GlassesCore
import Testing

@testable import glasses

@Suite("The report of a meter")
struct MeterReportTests {
    private func report(_ outcomes: [MeterOutcome]) -> MeterReport {
        var report = MeterReport(title: "time")
        for outcome in outcomes { report.add(outcome, clockSpread: 1.25) }
        return report
    }

    @Test("the figures are those of the judged rounds, and the others are counted by reason")
    func figures() {
        let measured = (1...100).map { MeterOutcome.success($0 * 10) }
        let report = report(measured + [.failure(.noAnswer), .failure(.noAnswer), .failure(.tooEarly)])
        #expect(report.fields["p50Ms"] == 500)
        #expect(report.fields["p99Ms"] == 990)
        #expect(report.fields["rounds"] == 103)
        #expect(report.fields["judged"] == 100)
        #expect(report.fields["notJudged"] == ["noAnswer": 2, "tooEarly": 1])
        #expect(report.lines.first == "time: p50 500 ms, p99 990 ms, 10 to 1000 ms")
        #expect(report.lines.contains("2 not judged: no answer"))
        #expect(report.status == .incomplete)
        #expect(report.error == 13.25)
    }

    @Test("rounds that were all judged are a success, and without any figure there is none to print")
    func statuses() {
        #expect(report([.success(-3)]).status == .ok)
        #expect(report([.success(-3)]).fields["p99Ms"] == -3)
        let empty = report([.failure(.noisy)])
        #expect(empty.status == .gateway)
        #expect(empty.fields["p50Ms"] == .null)
        #expect(empty.lines.first == "time: not measured in 1 rounds")
    }
}
