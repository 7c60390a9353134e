import SoundServer
import Testing

@testable import SystemDeviceStreams

@Suite struct PlugDefinitionTests {
    @Test(arguments: [
        ("default", "\"default\""), ("hw:CARD=A,DEV=0", "\"hw:CARD=A,DEV=0\""), ("a\"b", "\"a\\\"b\""),
        ("a\\b", "\"a\\\\b\""),
        ("a\nb\u{7}", "\"ab\""), ("} evil {", "\"} evil {\""),
    ])
    func anyNameStaysOneString(name: String, quoted: String) {
        #expect(PlugDefinition.text(slave: name).contains("slave.pcm \(quoted)\n"))
    }

    @Test func aNameThatTriesToBreakOutOfItsStringIsOnlyAMissingDevice() {
        SoundLab.prepare()
        let name = "x\" } pcm.extentos_stream { type null } #"
        #expect(throws: StreamFailure(.missing, code: -2)) {
            try ALSADevice.open(name, .playback, timing: StreamTiming(periodMs: 10, bufferMs: 50)).close()
        }
    }

    @Test(
        arguments: [
            (0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (-5, 0),
            (Int64.max - 1_000_000, 2_147_483_647),
        ] as [(Int64, Int32)])
    func waitsAreRoundedUpToWholeMilliseconds(nanoseconds: Int64, milliseconds: Int32) {
        #expect(wholeMilliseconds(nanoseconds) == milliseconds)
    }

    @Test(arguments: [(10, 50, 50), (10, 20, 30), (40, 50, 120)])
    func theBufferHoldsAtLeastThreePeriods(period: Int, buffer: Int, taken: Int) {
        #expect(StreamTiming(periodMs: period, bufferMs: buffer).bufferMs == taken)
    }
}
