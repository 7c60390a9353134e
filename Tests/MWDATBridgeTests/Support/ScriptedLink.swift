import Foundation
import MWDATCore
import Synchronization

/// A link of this process that a test plays: it notes commands and delivers what the test says.
final class ScriptedLink: WearablesLink {
    private struct State {
        var deliver: (@Sendable (LinkEvent) -> Void)?
        var commands: [LinkCommand] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let first: [LinkEvent]

    init(first: [LinkEvent] = [.available(LinkPeer(name: "scripted", version: "1"))]) { self.first = first }

    var commands: [LinkCommand] { state.withLock { $0.commands } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var isOpen: Bool { state.withLock { $0.deliver != nil && !$0.isClosed } }

    func open(_ deliver: @escaping @Sendable (LinkEvent) -> Void) {
        state.withLock { $0.deliver = deliver }
        for event in first { deliver(event) }
    }

    func send(_ command: LinkCommand) { state.withLock { $0.commands.append(command) } }
    func close() { state.withLock { $0.isClosed = true } }
    func tell(_ event: LinkEvent) { state.withLock { $0.isClosed ? nil : $0.deliver }?(event) }
}

/// What a link delivered, in order.
final class Deliveries: Sendable {
    private let events = Mutex<[LinkEvent]>([])

    var all: [LinkEvent] { events.withLock { $0 } }
    var take: @Sendable (LinkEvent) -> Void { { event in self.events.withLock { $0.append(event) } } }
    /// Without pictures.
    var controls: [LinkEvent] { all.filter { if case .frame = $0 { false } else { true } } }
    var refusals: [Refusal] { all.compactMap { if case .unavailable(let refusal) = $0 { refusal } else { nil } } }
}

/// Waits until something is so; false when it is not after a generous while.
func eventually(_ condition: () -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
    return true
}
