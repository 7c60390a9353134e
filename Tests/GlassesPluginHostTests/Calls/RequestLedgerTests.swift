import Testing

@testable import GlassesPluginHost

@Suite("Every request ends once")
struct RequestLedgerTests {
    @Test("The first completion counts, a second is doubled, one never made is unknown")
    func countsOnce() {
        var ledger = RequestLedger()
        let (one, two) = (ledger.begin(), ledger.begin())
        #expect(one != two && one != 0)
        #expect(ledger.complete(two) == .expected)
        #expect(ledger.complete(two) == .doubled)
        #expect(ledger.complete(one) == .expected)
        for id in [0, 99, UInt64.max] { #expect(ledger.complete(id) == .unknown) }
    }

    @Test("A completion after the limit is late once, and doubled afterwards")
    func tellsLate() {
        var ledger = RequestLedger()
        let id = ledger.begin()
        #expect(ledger.expire(id) == true)
        #expect(ledger.expire(id) == false)
        #expect(ledger.complete(id) == .late)
        #expect(ledger.complete(id) == .doubled)
    }

    @Test("A refused request has no completion")
    func refuses() {
        var ledger = RequestLedger()
        let id = ledger.begin()
        #expect(ledger.refuse(id) == true)
        #expect(ledger.refuse(id) == false)
        #expect(ledger.complete(id) == .doubled)
    }

    @Test("Closing ends what is open and nothing else")
    func closes() {
        var ledger = RequestLedger()
        let ids = (0..<5).map { _ in ledger.begin() }
        _ = ledger.complete(ids[1])
        #expect(ledger.closeAll() == [ids[0], ids[2], ids[3], ids[4]])
        #expect(ledger.closeAll() == [])
    }
}
