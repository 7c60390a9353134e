import Foundation
import MWDATCore
import Testing

@testable import MWDATCamera

/// The table of a stream's errors: which check of the glasses or the link becomes which.
@Suite struct StreamErrorTests {
    static let rows: [(Refusal.Check, StreamError)] = [
        (.link, .deviceNotConnected("g")), (.compatibility, .internalError), (.worn, .hingesClosed),
        (.hinges, .hingesClosed), (.power, .deviceNotConnected("g")), (.trust, .internalError),
        (.permission, .permissionDenied), (.configuration, .internalError), (.companion, .internalError),
        (.network, .internalError), (.occupied, .internalError), (.thermal, .thermalHot),
        (.peakPower, .peakPowerLimit), (.battery, .batteryLow), (.glassesApp, .internalError),
        (.sdkVersion, .internalError), (.resources, .videoStreamingError), (.media, .videoStreamingError),
        (.timeout, .timeout), (.endedByDevice, .internalError), (.notFound, .deviceNotFound("g")),
        (.transport, .videoStreamingError),
    ]

    @Test("Each check becomes its error", arguments: rows)
    func row(check: Refusal.Check, error: StreamError) {
        #expect(StreamError(.test(check), device: "g") == error)
    }

    @Test func everyCheckHasARow() { #expect(Self.rows.map(\.0) == Refusal.Check.allCases) }

    @Test("An error prints as its case's name and describes itself in a sentence", arguments: StreamError.everyCase)
    func text(error: StreamError) {
        let name = "\(error)"
        #expect(name.first?.isLowercase == true && !name.contains("rawValue"))
        #expect(error.description.hasSuffix("."))
        #expect(error.localizedDescription == error.description)
    }

    @Test func onlyWhatLeavesTheStreamAliveIsNotFatal() {
        #expect(StreamError.everyCase.filter { !$0.isFatal } == [.audioStreamingError, .photoCaptureFailed])
    }
}
