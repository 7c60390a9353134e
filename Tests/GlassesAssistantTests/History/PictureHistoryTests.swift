@testable import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct PictureHistoryTests {
    private func picture(_ name: String, prompt: String? = nil, isKnown: Bool = true) -> ConversationHistory.Content {
        .picture(SessionPicture(url: "data:image/jpeg;base64,\(name)"), prompt: prompt, isKnown: isKnown)
    }

    /// 14:05 on some day.
    private let fivePastTwo: Int64 = (20_000 * 24 * 60 + 14 * 60 + 5) * 60_000

    @Test func replaySendsTheNewestTwoPicturesAndWordsForOlderOnes() {
        var history = ConversationHistory(cap: 100)
        for number in 1...4 {
            history.place(
                "p\(number)", after: nil, content: picture("\(number)", prompt: number == 2 ? "What is it?" : nil),
                timestampMs: fivePastTwo)
        }
        for (number, old) in history.surplusPictures.enumerated() {
            let replaced = history.replacePicture(old, by: "n\(number + 1)")
            #expect(replaced?.wasKnown == true)
        }
        let replay = history.takeReplay()
        #expect(
            replay == [
                .systemText(id: "n1", text: "[picture of 14:05 UTC, left out]"),
                .systemText(id: "n2", text: "[picture of 14:05 UTC, left out] What is it?"),
                .userPicture(id: "p3", SessionPicture(url: "data:image/jpeg;base64,3"), prompt: nil, detail: .auto),
                .userPicture(id: "p4", SessionPicture(url: "data:image/jpeg;base64,4"), prompt: nil, detail: .auto),
            ])
    }

    @Test func aPictureIsAWordInTheTurnsWhetherItIsKeptOrNot() {
        var history = ConversationHistory(cap: 100)
        history.place("p1", after: nil, content: picture("1", prompt: "Look."), timestampMs: fivePastTwo)
        let before = history.turns
        #expect(before == [.userText(text: "[picture of 14:05 UTC] Look.", timestampMs: fivePastTwo)])
        _ = history.replacePicture("p1", by: "n1")
        #expect(history.turns == before)
    }

    @Test func aRefusedPictureBecomesWordsAndIsNeverSentAgain() {
        var history = ConversationHistory(cap: 100)
        history.place("p1", after: nil, content: picture("1"), timestampMs: 0)
        #expect(history.size(of: "p1") > 20)
        history.leaveOut("p1")
        #expect(!history.isPicture("p1"))
        let replay = history.takeReplay()
        #expect(
            replay == [
                .systemText(id: "p1", text: "[picture of 00:00 UTC, which the provider did not take]")
            ])
        let refusedAgain = history.refusePicture("p1")
        #expect(!refusedAgain)
        let replaced = history.replacePicture("p1", by: "n1")
        #expect(replaced == nil)
    }

    @Test func whatTheProviderLacksIsSentOnce() {
        var history = ConversationHistory(cap: 100)
        history.place("p1", after: nil, content: picture("1", isKnown: false), timestampMs: 0)
        history.place("p2", after: nil, content: picture("2", isKnown: false), timestampMs: 0)
        let replaced = history.replacePicture("p1", by: "n1")
        #expect(replaced?.wasKnown == false)
        let unsent = history.takeUnsent()
        #expect(unsent.map(\.id) == ["n1", "p2"])
        let again = history.takeUnsent()
        #expect(again.isEmpty)
    }
}

@Suite struct SessionPictureTests {
    @Test func noDescriptionShowsAPicture() {
        let picture = SessionPicture(url: "data:image/jpeg;base64,SECRET")
        var dumped = ""
        dump(ConversationItem.userPicture(id: "i", picture, prompt: nil, detail: .low), to: &dumped)
        for text in [
            "\(picture)", String(reflecting: picture), dumped,
            "\(SessionInput.pictureReady(OperationID(1), picture))",
        ] { #expect(!text.contains("SECRET")) }
        #expect("\(picture)" == "picture of 29 bytes")
    }
}
