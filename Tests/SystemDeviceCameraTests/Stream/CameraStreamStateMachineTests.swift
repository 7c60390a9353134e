import GlassesPluginKit
import Testing

@testable import SystemDeviceCamera

@Suite("The life of a camera's stream")
struct CameraStreamStateMachineTests {
    typealias Machine = CameraStreamStateMachine
    private static let lost = PluginFailure.cameraLost("Front")

    private func run(_ inputs: [Machine.Input]) -> (Machine.State, [Machine.Action]) {
        var machine = Machine()
        var last: [Machine.Action] = []
        for input in inputs { last = machine.apply(input) }
        return (machine.state, last)
    }

    @Test(
        "Each input does what the state calls for",
        arguments: [
            ([.startRequested], .starting, [.beginSource]),
            ([.startRequested, .firstPictureStored], .streaming, [.endStart(nil)]),
            ([.startRequested, .firstPictureStored, .firstPictureStored], .streaming, []),
            ([.startRequested, .startRequested], .starting, [.refuseStart(.cameraStartedAlready)]),
            ([.startRequested, .sourceEnded(lost)], .idle, [.endSource, .endStart(lost)]),
            ([.startRequested, .firstPictureStored, .sourceEnded(lost)], .idle, [.endSource, .reportStopped(lost)]),
            ([.startRequested, .firstPictureStored, .stopRequested], .stopping(hasStart: false), [.endSource]),
            ([.startRequested, .firstPictureStored, .stopRequested, .sourceEnded(nil)], .idle, [.endStops(nil)]),
            ([.startRequested, .stopRequested], .stopping(hasStart: true), [.endSource]),
            ([.startRequested, .stopRequested, .firstPictureStored], .stopping(hasStart: true), []),
            (
                [.startRequested, .stopRequested, .sourceEnded(nil)], .idle, [.endStart(.cancelled), .endStops(nil)]
            ),
            ([.startRequested, .stopRequested, .stopRequested], .stopping(hasStart: true), []),
            ([.stopRequested], .idle, [.endStops(.cameraNotStarted)]),
            ([.startRequested, .stopRequested, .startLimitPassed], .stopping(hasStart: true), []),
            ([.startRequested, .firstPictureStored, .startLimitPassed], .streaming, []),
            ([.startRequested, .stopLimitPassed], .starting, []),
        ] as [([Machine.Input], Machine.State, [Machine.Action])])
    func transitions(_ row: ([Machine.Input], Machine.State, [Machine.Action])) {
        let (state, actions) = run(row.0)
        #expect(state == row.1)
        #expect(actions == row.2)
    }

    @Test("A source that does not come back keeps the camera until it does, and every request is answered")
    func hangs() {
        var machine = Machine()
        #expect(machine.apply(.startRequested) == [.beginSource])
        #expect(machine.apply(.startLimitPassed) == [.endSource, .endStart(.cameraHung)])
        #expect(machine.apply(.startRequested) == [.refuseStart(.cameraHung)])
        #expect(machine.apply(.stopRequested) == [.endStops(.cameraHung)])
        #expect(machine.apply(.firstPictureStored) == [])
        #expect(machine.apply(.sourceEnded(nil)) == [])
        #expect(machine.apply(.startRequested) == [.beginSource])
        _ = machine.apply(.stopRequested)
        #expect(machine.apply(.stopLimitPassed) == [.endStart(.cancelled), .endStops(.cameraHung)])
        #expect(machine.state == .hung)
    }
}
