import Foundation
import GlassesAssistant
import Testing

/// Conversations that were recorded, with the real program and in the storm, are decided today as they were then.
@Suite struct RecordedTracesTests {
    private static let folder = Bundle.module.bundleURL.appendingPathComponent("Traces").path

    private static var names: [String] {
        // A folder that is not there has no traces, which the first test tells.
        do { return try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch { return [] }
    }

    @Test func thereAreTraces() {
        #expect(Self.names.count >= 3)
        #expect(Self.names.allSatisfy { $0.hasSuffix(".trace") })
    }

    @Test(arguments: names) func aRecordedSessionIsDecidedAsItWas(name: String) throws {
        let file = URL(fileURLWithPath: Self.folder).appendingPathComponent(name)
        let trace = try SessionTrace(file: Array(Data(contentsOf: file)))
        #expect(trace.end == .complete)
        #expect(!trace.privacy.keepsText)
        let difference = try TraceReplay.firstDifference(in: trace)
        #expect(
            difference == nil,
            "\(difference?.description ?? ""). If the session is meant to do that now, run Scripts/renew-traces.")
    }
}
