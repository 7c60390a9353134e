import GlassesAssistant
import GlassesDomain
import Testing

@testable import GlassesRuntime

@Suite struct SessionMailboxTests {
    private static let report = SessionInput.playbackProgressed(
        HeardPosition(segment: SegmentID(responseID: "r", itemID: "i", contentIndex: 0), milliseconds: 1))

    @Test func aFullMailboxDropsReportsAndEditsButNoEndOfWhatTheDriverStarted() async {
        let mailbox = SessionMailbox()
        for _ in 0..<SessionMailbox.capacity { #expect(mailbox.add(.input(Self.report))) }
        #expect(!mailbox.add(.input(Self.report)))
        #expect(!mailbox.add(.edit(.historyCleared)))
        for _ in 0..<SessionMailbox.capacity { #expect(mailbox.add(.input(.microphoneGateOpened))) }
        #expect(!mailbox.add(.input(.microphoneGateOpened)))
        let ends: [SessionInput] = [
            .flushCompleted(FlushID(1), heard: []), .toolReturned(callID: "c", output: "", isError: false),
            .timerFired(.silence), .hookEnded(.onWake, errorMessage: nil), .playbackDrained,
        ]
        for end in ends { #expect(mailbox.add(.input(end))) }
        mailbox.finish()
        var taken: [SessionInput] = []
        for await letter in mailbox.letters {
            mailbox.taken()
            if case .input(let input) = letter { taken.append(input) }
        }
        #expect(taken.count == SessionMailbox.capacityForChanges + ends.count)
        #expect(Array(taken.suffix(ends.count)) == ends)
        #expect(mailbox.add(.input(Self.report)))
    }

    @Test func publishedTurnsAreNoMoreThanTheCapAndADroppedEditGivesWayToTheMachinesTurns() {
        let history = PublishedHistory(cap: 3)
        let turns = (0..<10).map { Turn.userText(text: "\($0)", timestampMs: 0) }
        for turn in turns { history.edit { $0.append(turn) } }
        #expect(history.newest(100) == Array(turns.suffix(3)))
        for _ in turns { history.editApplied() }
        history.publish([turns[0]])
        #expect(history.newest(100) == [turns[0]])
    }
}
