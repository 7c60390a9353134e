import Testing

@testable import SystemDeviceStreams

@Suite struct EchoGateTests {
    private var gate = EchoGate()

    /// The frames, of `count` alike, that are kept back.
    private mutating func keptBack(_ count: Int, played: Bool, heard: Bool, found: Bool = false) -> Int {
        (0..<count).count { _ in
            gate.keepsBack(reference: played ? 5 : FrameLevel.silence, microphone: heard ? 4 : 1, isFound: found)
        }
    }

    @Test mutating func aPersonIsHeardBeforeAnythingIsPlayed() {
        #expect(keptBack(1_000, played: false, heard: true) == 0)
    }

    @Test mutating func theFirstEchoIsKeptBackUntilItWasFoundAndAMomentLonger() {
        #expect(keptBack(150, played: true, heard: true) == 150)
        #expect(keptBack(1, played: true, heard: true, found: true) == 1)
        #expect(keptBack(1_000, played: true, heard: true) == EchoGate.settling - 2)
    }

    @Test mutating func theEchoOfAShortSoundIsKeptBackTooAndThenAPersonIsHeard() {
        #expect(keptBack(20, played: true, heard: true) == 20)
        let after = keptBack(1_000, played: false, heard: true)
        #expect((30...60).contains(after))
    }

    @Test mutating func whereNothingIsHeardOfItTheGateOpens() {
        #expect(keptBack(EchoGate.quietLimit, played: true, heard: false) == EchoGate.quietLimit - 1)
        #expect(keptBack(1_000, played: true, heard: true) == 0)
    }

    @Test mutating func itOpensAfterThreeSecondsWhateverIsHeard() {
        #expect(keptBack(1_000, played: true, heard: true) == EchoGate.limit - 1)
    }
}
