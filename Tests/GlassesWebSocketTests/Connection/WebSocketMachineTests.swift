import GlassesDomain
import Testing

@testable import GlassesWebSocket

struct WebSocketMachineTests {
    private func machine() -> WebSocketMachine { WebSocketMachine(limits: .test(), at: .zero) }

    @Test func eachEventOfAnOpenConnectionHasItsAction() {
        var machine = machine()
        #expect(machine.apply(.eventDecoded(.text("a")), at: .zero).deliver == .text([0x61]))
        #expect(machine.apply(.eventDecoded(.ping([1])), at: .zero).send == .pong([1]))
        #expect(machine.apply(.eventDecoded(.pong([1])), at: .zero) == WebSocketMachine.Actions())
        #expect(machine.isOpen)
    }

    @Test func aFinishedMachineDoesNothingMore() {
        let inputs: [WebSocketMachine.Input] = [
            .bytesArrived, .eventDecoded(.text("a")), .eventDecoded(.ping([])),
            .eventDecoded(.close(code: 1000, reason: "")),
            .closeRequested(code: 1000, reason: ""), .closeWritten, .readingPaused, .readingResumed, .timerFired,
        ]
        for input in inputs {
            var machine = machine()
            #expect(machine.apply(.peerEnded, at: .zero).closure != nil)
            #expect(machine.apply(input, at: .at(.seconds(100))) == WebSocketMachine.Actions())
            #expect(machine.isFinished)
            #expect(machine.deadline == nil)
        }
    }

    @Test func anEarlyTimerChangesNothing() {
        var machine = machine()
        #expect(machine.apply(.timerFired, at: .at(.seconds(19))) == WebSocketMachine.Actions())
        #expect(machine.deadline == .at(.seconds(20)))
    }
}
