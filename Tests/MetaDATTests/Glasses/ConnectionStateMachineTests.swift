import GlassesPluginKit
import MWDATCore
import Testing

@testable import MetaDATDevice

@Suite("Which glasses the host is connected to")
struct ConnectionStateMachineTests {
    typealias Machine = ConnectionStateMachine

    private static let here = GlassesSnapshot(id: "a", isReachable: true)
    private static let away = GlassesSnapshot(id: "a", isReachable: false)
    private static let folded = GlassesSnapshot(id: "a", isReachable: false, isFolded: true, isWorn: false)
    private static let hot = GlassesSnapshot(id: "a", isReachable: true, isTooHot: true)
    private static let entering: [Machine.Action] = [
        .tellConnecting("a"), .tellConnected("a"), .use("a"), .completeConnect,
    ]

    /// Connected to glasses that are fine.
    private static let connected: [Machine.Input] = [.glassesChanged([here]), .connectRequested(nil)]

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var before: [Machine.Input]
        var input: Machine.Input
        var actions: [Machine.Action]
        var testDescription: String { name }

        init(_ name: String, _ before: [Machine.Input], _ input: Machine.Input, _ actions: [Machine.Action]) {
            (self.name, self.before, self.input, self.actions) = (name, before, input, actions)
        }
    }

    static let rows = [
        Row(
            "Glasses that are there are connected at once", [.glassesChanged([here])], .connectRequested(nil), entering),
        Row(
            "Without glasses they are searched for", [], .connectRequested(nil), [.startTimer(.search, Machine.search)]),
        Row(
            "Glasses that come in time end the search", [.connectRequested(nil)], .glassesChanged([here]),
            [.stopTimer(.search)] + entering),
        Row("Glasses that stay away fail it", [.connectRequested(nil)], .timerFired(.search), [.failConnect]),
        Row(
            "Other glasses than the wanted ones do not count", [.connectRequested("b")], .glassesChanged([here]), []),
        Row(
            "A disconnect ends the search", [.connectRequested(nil)], .disconnectRequested,
            [.stopTimer(.search), .failConnect, .tellDisconnected, .completeDisconnect]),
        Row("A second connect fails", connected, .connectRequested(nil), [.failConnect]),
        Row(
            "Folding loses them at once", connected, .glassesChanged([folded]), [.release, .tellLost(.hingesClosed)]),
        Row("Heat loses them at once", connected, .glassesChanged([hot]), [.release, .tellLost(.tooHot)]),
        Row(
            "The end of the session tells a folding first", connected, .sessionEnded(.hinges),
            [.release, .tellLost(.hingesClosed)]),
        Row("Another end of the session loses nobody", connected, .sessionEnded(.endedByDevice), []),
        Row(
            "A link that drops is doubted", connected, .glassesChanged([away]), [.startTimer(.doubt, Machine.doubt)]),
        Row(
            "A link that comes back in time is no news", connected + [.glassesChanged([away])], .glassesChanged([here]),
            [.stopTimer(.doubt)]),
        Row(
            "A link that stays away loses them", connected + [.glassesChanged([away])], .timerFired(.doubt),
            [.release, .tellLost(.dropped)]),
        Row(
            "Glasses that are not listed any more are doubted too", connected, .glassesChanged([]),
            [.startTimer(.doubt, Machine.doubt)]),
        Row(
            "Folding overtakes the doubt", connected + [.glassesChanged([away])], .glassesChanged([folded]),
            [.stopTimer(.doubt), .release, .tellLost(.hingesClosed)]),
        Row(
            "Lost glasses that are seen to be gone are back when they can be used",
            connected + [.glassesChanged([folded])], .glassesChanged([here]), [.tellConnected("a"), .use("a")]),
        Row(
            "Old news after a folding does not bring them back", connected + [.sessionEnded(.hinges)],
            .glassesChanged([here]), []),
        Row(
            "Lost glasses can be asked for again", connected + [.glassesChanged([folded])], .connectRequested(nil),
            [.startTimer(.search, Machine.search)]),
        Row(
            "A disconnect ends the session", connected, .disconnectRequested,
            [.release, .tellDisconnected, .completeDisconnect]),
        Row("A disconnect without a connection is done", [], .disconnectRequested, [.completeDisconnect]),
        Row("A timer that was stopped does nothing", connected, .timerFired(.doubt), []),
    ]

    @Test(arguments: rows)
    func each(_ row: Row) {
        var machine = Machine()
        for input in row.before { _ = machine.apply(input) }
        #expect(machine.apply(row.input) == row.actions)
    }

    @Test("Worn glasses are chosen before others, else the companion's order holds")
    func choosesWornGlasses() {
        let (first, second) = (
            GlassesSnapshot(id: "x", isReachable: true, isWorn: false), GlassesSnapshot(id: "y", isReachable: true)
        )
        var machine = Machine()
        _ = machine.apply(.glassesChanged([first, second]))
        _ = machine.apply(.connectRequested(nil))
        #expect(machine.connected == "y")
        machine = Machine()
        _ = machine.apply(.glassesChanged([first]))
        _ = machine.apply(.connectRequested(nil))
        #expect(machine.connected == "x")
    }
}

@Suite("What a session's states mean")
struct SessionPolicyTests {
    @Test("Attempts are at least two seconds apart, and at most sixteen")
    func pauses() {
        let pauses = (0...6).map { SessionPolicy.pause(afterFailures: $0) }
        #expect(
            pauses == [.seconds(2), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(16), .seconds(16)])
    }

    @Test("A pause of worn glasses is a tap, and so is its end; a pause of glasses that were taken off is not")
    func taps() {
        #expect(SessionPolicy.gesture(from: .started, to: .paused, isWorn: true) == .tap)
        #expect(SessionPolicy.gesture(from: .paused, to: .started, isWorn: true) == .tap)
        #expect(SessionPolicy.gesture(from: .started, to: .paused, isWorn: false) == nil)
        #expect(SessionPolicy.gesture(from: .starting, to: .started, isWorn: true) == nil)
    }

    @Test("Glasses that are fine and end the session were held; others were not")
    func holds() {
        let ended = Refusal(.endedByDevice, "Ended.", isRetryable: true)
        let fine = GlassesSnapshot(id: "a", isReachable: true)
        #expect(SessionPolicy.isHold(ended, fine))
        #expect(!SessionPolicy.isHold(ended, GlassesSnapshot(id: "a", isReachable: false)))
        #expect(!SessionPolicy.isHold(Refusal(.hinges, "Folded.", isRetryable: true), fine))
        #expect(!SessionPolicy.isHold(nil, fine))
    }
}
