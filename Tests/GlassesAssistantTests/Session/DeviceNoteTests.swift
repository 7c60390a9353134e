import GlassesAssistant
import GlassesDomain
import Testing

/// What the model is told of a device that changes.
@Suite struct DeviceNoteTests {
    private func awake() -> SessionHarness {
        var session = SessionHarness()
        session.feed(.deviceDescribed(Self.device(1)))
        session.wakeUp()
        return session
    }

    private static func device(_ number: Int) -> DeviceDescription {
        DeviceDescription(text: "{\"device\":\(number)}", fingerprint: Int64(number))
    }

    /// The notes of the device that were sent: their items, and the texts.
    private func notes(_ session: SessionHarness) -> [(id: String, text: String)] {
        session.log.commands.compactMap { command in
            guard case .createItem(_, .systemText(let id, let text)) = command, text.contains("device") else {
                return nil
            }
            return (id, text)
        }
    }

    private func deleted(_ session: SessionHarness) -> [String] {
        session.log.commands.compactMap { if case .deleteItem(_, let id) = $0 { id } else { nil } }
    }

    private func fallAsleep(_ session: inout SessionHarness) {
        session.ask(.sleep)
        let closure = ConnectionClosure(code: "closed", message: "", closeCode: 1000)
        session.feed(.connectionClosed(session.connection, closure))
    }

    @Test func aChangeIsToldAfterAWhileAndSeveralAsOne() {
        var session = awake()
        session.feed(.deviceDescribed(Self.device(2)))
        session.advance(.seconds(1))
        session.feed(.deviceDescribed(Self.device(3)))
        #expect(notes(session).isEmpty)
        session.advance(.seconds(2))
        #expect(notes(session).map(\.text).count == 1)
        #expect(notes(session).last?.text.hasSuffix(#"{"device":3}"#) == true)
        #expect(session.machine.turns.isEmpty, "it is no turn")
    }

    @Test func theNewestNoteTakesThePlaceOfTheOneBeforeAndComesTenSecondsLaterAtTheEarliest() throws {
        var session = awake()
        session.feed(.deviceDescribed(Self.device(2)))
        session.advance(.seconds(3))
        let first = try #require(notes(session).first?.id)
        for number in 3..<30 {
            session.feed(.deviceDescribed(Self.device(number)))
            session.advance(.milliseconds(100))
        }
        #expect(notes(session).count == 1)
        session.advance(.seconds(8))
        #expect(notes(session).count == 2)
        #expect(notes(session).last?.text.hasSuffix(#"{"device":29}"#) == true)
        #expect(deleted(session) == [first])
    }

    @Test func aChangeThatPassesIsNotTold() {
        var session = awake()
        session.feed(.deviceDescribed(Self.device(2)))
        session.feed(.deviceDescribed(Self.device(1)))
        session.advance(.seconds(20))
        #expect(notes(session).isEmpty)
    }

    @Test func nothingIsToldWhileTheUserSpeaksOrAnAnswerIsMadeOrHeard() {
        var session = awake()
        session.server(.speechStarted(itemID: "u1"))
        session.feed(.deviceDescribed(Self.device(2)))
        session.advance(.seconds(5))
        #expect(notes(session).isEmpty)
        session.server(.speechStopped(itemID: "u1"))
        session.server(.utteranceCommitted(itemID: "u1", previousItemID: nil))
        session.server(.answerCreated(responseID: "r1", metadata: [:], isOutOfBand: false))
        session.advance(.seconds(1))
        #expect(notes(session).isEmpty)
        session.server(.answerDone(responseID: "r1", status: .completed))
        #expect(notes(session).count == 1)
    }

    @Test func anotherConnectionBeginsWithTheDeviceAsItIsThen() {
        var session = awake()
        session.feed(.deviceDescribed(Self.device(2)))
        session.advance(.seconds(3))
        #expect(notes(session).count == 1)
        session.feed(.deviceDescribed(Self.device(3)))
        fallAsleep(&session)
        #expect(session.machine.deviceText == #"{"device":3}"#)
        session.ask(.wake)
        session.connect()
        session.advance(.seconds(30))
        #expect(notes(session).count == 1, "its configuration tells the device")
        session.feed(.deviceDescribed(Self.device(4)))
        session.advance(.seconds(3))
        #expect(notes(session).count == 2)
        #expect(deleted(session).isEmpty, "the first note was another conversation's")
    }

    @Test func aChangeWhileItSleepsIsNotSent() {
        var session = awake()
        fallAsleep(&session)
        let sent = session.log.commands.count
        session.feed(.deviceDescribed(Self.device(2)))
        session.advance(.seconds(30))
        #expect(session.log.commands.count == sent)
    }

    @Test func aSessionThatIsToldNothingTellsNothing() {
        var session = SessionHarness()
        session.wakeUp()
        session.advance(.seconds(30))
        #expect(session.machine.deviceText == nil)
        #expect(notes(session).isEmpty)
    }
}
