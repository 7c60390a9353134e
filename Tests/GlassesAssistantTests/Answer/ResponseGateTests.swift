import GlassesAssistant
import Testing

@Suite struct ResponseGateTests {
    private let follow = AnswerWish(purpose: .conversation)

    private func open() -> ResponseGate {
        var gate = ResponseGate()
        _ = gate.apply(.holdEnded(.disconnected))
        return gate
    }

    private func say(_ text: String, _ id: Int) -> AnswerWish {
        AnswerWish(purpose: .say(text: text), operation: OperationID(id))
    }

    @Test func aWishIsRequestedAtOnceWhenNothingIsActive() {
        var gate = open()
        #expect(gate.apply(.wished(follow)) == [.request(requestID: "ask_1", follow)])
        #expect(gate.isAnswering)
    }

    @Test func wishesInsideTheConversationMeltIntoOneAndOthersKeepTheirOrder() {
        var gate = open()
        _ = gate.apply(.created(responseID: "r1", requestID: nil, isOutOfBand: false))
        for wish in [follow, say("a", 1), follow, say("b", 2)] { #expect(gate.apply(.wished(wish)).isEmpty) }
        var asked: [AnswerPurpose] = []
        var ended = "r1"
        for round in 2...5 {
            for action in gate.apply(.ended(responseID: ended)) {
                guard case .request(let requestID, let wish) = action else { continue }
                asked.append(wish.purpose)
                ended = "r\(round)"
                #expect(
                    gate.apply(.created(responseID: ended, requestID: requestID, isOutOfBand: wish.operation != nil))
                        == [.grant(wish)])
            }
        }
        #expect(asked == [.conversation, .say(text: "a"), .say(text: "b")])
    }

    @Test(arguments: [GateHold.disconnected, .userSpeaking, .serverAnswerExpected, .deviceLost, .refused])
    func eachHoldKeepsTheWishUntilItEnds(hold: GateHold) {
        var gate = open()
        _ = gate.apply(.holdBegan(hold))
        #expect(gate.apply(.wished(follow)).isEmpty)
        #expect(gate.apply(.holdEnded(hold)).count == 1)
    }

    @Test func theServersOwnAnswerGrantsAWishOnlyWhenItKnewAllItems() {
        var gate = open()
        _ = gate.apply(.holdBegan(.userSpeaking))
        _ = gate.apply(.wished(AnswerWish(purpose: .conversation, unacknowledgedItems: ["o1"])))
        #expect(gate.apply(.created(responseID: "r1", requestID: nil, isOutOfBand: false)).isEmpty)
        #expect(gate.hasWish)
        _ = gate.apply(.itemAcknowledged(itemID: "o1"))
        let granted = gate.apply(.created(responseID: "r2", requestID: nil, isOutOfBand: false))
        #expect(granted == [.grant(follow)])
        #expect(!gate.hasWish)
    }

    @Test func aRequestRefusedForAnotherReasonIsDropped() {
        var gate = open()
        _ = gate.apply(.wished(say("a", 1)))
        #expect(gate.apply(.refused(requestID: "ask_1", isActiveResponse: false)) == [.drop(say("a", 1))])
        #expect(!gate.isAnswering)
        #expect(gate.apply(.refused(requestID: "ask_1", isActiveResponse: false)).isEmpty)
    }

    @Test func aLostConnectionKeepsWhatWasAskedForAndForgetsWhatWasActive() {
        var gate = open()
        _ = gate.apply(.wished(follow))
        #expect(gate.apply(.connectionLost).isEmpty)
        #expect(!gate.isAnswering && gate.hasWish)
        #expect(gate.apply(.holdEnded(.disconnected)) == [.request(requestID: "ask_2", follow)])
    }

    @Test func closingDropsEverything() {
        var gate = open()
        _ = gate.apply(.wished(say("a", 1)))
        _ = gate.apply(.wished(say("b", 2)))
        #expect(gate.apply(.closed) == [.drop(say("a", 1)), .drop(say("b", 2))])
        #expect(!gate.hasWish && !gate.isAnswering)
    }

    @Test func whoSpeaksNeedsNoGreeting() {
        var gate = ResponseGate()
        let greeting = AnswerWish(purpose: .greeting(directive: "hi"))
        _ = gate.apply(.wished(greeting))
        #expect(gate.apply(.holdBegan(.userSpeaking)) == [.drop(greeting)])
    }

    @Test func moreTextsThanTheLimitAreRefused() {
        var gate = ResponseGate()
        for number in 0..<ResponseGate.limit { #expect(gate.apply(.wished(say("x", number))).isEmpty) }
        #expect(gate.apply(.wished(say("y", 99))) == [.drop(say("y", 99))])
    }
}
