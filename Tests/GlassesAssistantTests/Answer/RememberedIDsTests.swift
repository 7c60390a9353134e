import GlassesAssistant
import Testing

@Suite struct RememberedIDsTests {
    @Test func theNewestFourThousandAndNinetySixIdsAreRemembered() {
        var ids = RememberedIDs()
        for number in 0..<10_000 {
            ids.insert("r\(number)")
            ids.insert("r\(number)")
        }
        #expect(!ids.contains("r5903"))
        #expect(ids.contains("r5904"))
        #expect(ids.contains("r9999"))
    }
}
