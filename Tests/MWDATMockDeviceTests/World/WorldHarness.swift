import Foundation
import GlassesDomain
import MWDATCore

@testable import MWDATMockDevice

/// Not the mock provider's.
typealias MockBehavior = MWDATMockDevice.MockBehavior

/// A simulated world with one pair of glasses, one app, and a clock that stands still.
struct WorldHarness {
    static let glasses = "glasses-1"
    static let app: MockClient = 1
    static let request = LinkStreamRequest(coding: .i420, width: 504, height: 896, framesPerSecond: 30)

    private(set) var world = MockWorld()
    var now = MonotonicTime.zero
    /// Everything that was ordered since the last ``take()``.
    private(set) var actions: [MockAction] = []

    /// A world that is enabled, with glasses that are paired.
    init(
        model: MWDATCore.DeviceType = .rayBanMeta, isRegistered: Bool = true, hasPermissions: Bool = true,
        behavior: MockBehavior = MockBehavior()
    ) {
        apply(.operated(.enabled(isRegistered: isRegistered, hasPermissions: hasPermissions)))
        apply(.operated(.behaviorSet(behavior)))
        apply(.operated(.paired(Self.glasses, model, name: "Mock")))
        apply(.opened(Self.app))
        _ = take()
    }

    /// A world whose glasses are worn, with a session and a stream that runs.
    static func streaming(
        model: MWDATCore.DeviceType = .rayBanMeta, behavior: MockBehavior = MockBehavior()
    ) -> WorldHarness {
        var harness = WorldHarness(model: model, behavior: behavior)
        harness.operate(.don)
        harness.send(.openSession(1, device: glasses, takesOver: false))
        harness.send(.startStream(1, 1, request))
        _ = harness.take()
        return harness
    }

    mutating func apply(_ input: MockInput) { actions += world.apply(input, at: now) }
    mutating func operate(_ operation: MockDeviceOperation) { apply(.operated(.device(Self.glasses, operation))) }
    mutating func send(_ command: LinkCommand, from app: MockClient = app) { apply(.commanded(app, command)) }
    mutating func set(_ faults: MockFaults) { apply(.operated(.faultsSet(faults))) }

    /// A picture of the running stream.
    mutating func picture(_ number: UInt64 = 0, stream: LinkStream = 1, size: (Int, Int) = (504, 896)) {
        let frame = LinkFrame(
            coding: .i420, width: size.0, height: size.1, time: number, bytes: Data([UInt8(number % 256)]))
        apply(.pictured(key(stream), frame))
    }

    /// Lets the clock speak each time that the world waits for, up to `end`.
    mutating func pass(until end: MonotonicTime) {
        while let due = world.nextDue, due <= end {
            now = max(now, due)
            apply(.timePassed)
        }
        now = end
    }

    func key(_ stream: LinkStream = 1) -> MockStreamKey {
        MockStreamKey(session: MockSessionKey(client: Self.app, session: 1), stream: stream)
    }

    /// What was ordered since the last call.
    mutating func take() -> [MockAction] {
        defer { actions = [] }
        return actions
    }

    /// The events for the app since the last call, without those of devices.
    mutating func events(of app: MockClient = app) -> [LinkEvent] {
        take().compactMap { action in
            guard case .deliver(app, let event) = action else { return nil }
            switch event {
            case .device, .devices: return nil
            default: return event
            }
        }
    }

    /// What the glasses report.
    var state: DeviceState? { world.listedDevices.first?.state }
}

extension [MockAction] {
    /// The events among them.
    var events: [LinkEvent] { compactMap { if case .deliver(_, let event) = $0 { event } else { nil } } }
    var notes: [String] { compactMap { if case .note(let text) = $0 { text } else { nil } } }
}

extension [LinkEvent] {
    /// How many are pictures.
    var frames: [LinkFrame] { compactMap { if case .frame(_, _, let frame) = $0 { frame } else { nil } } }
}
