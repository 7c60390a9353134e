import Dispatch
import Foundation
import MWDATCore
import Synchronization

@testable import MWDATDisplay

/// A display whose link is the test, and whose time passes when the test says so.
final class DisplayLab: Sendable {
    let time = ManualTimekeeper()
    let work = DispatchQueue(label: "display-lab.work")
    let announcements = DispatchQueue(label: "display-lab.announcements")
    let driver: DisplayDriver
    let display: Display
    let commands = SentCommands()

    init() {
        let commands = commands
        driver = DisplayDriver(
            DisplayPorts(
                session: 7, work: work, announcements: announcements, timekeeper: time,
                nextRequest: { commands.nextRequest() }, send: { commands.add($0) }, detach: { _ in commands.detach() })
        )
        display = Display(driver: driver)
    }

    /// A display that the glasses have started.
    static func started() -> DisplayLab {
        let lab = DisplayLab()
        lab.display.start()
        lab.driver.take(.displayStarted)
        lab.settle()
        return lab
    }

    /// Returns when everything that was begun has taken place.
    func settle() {
        work.sync {}
        announcements.sync {}
    }
}

/// What a display has asked of its link.
final class SentCommands: Sendable {
    private let state = Mutex((commands: [LinkCommand](), requests: LinkRequest(0), detached: 0))

    var all: [LinkCommand] { state.withLock { $0.commands } }
    var detached: Int { state.withLock { $0.detached } }

    func add(_ command: LinkCommand) { state.withLock { $0.commands.append(command) } }
    func detach() { state.withLock { $0.detached += 1 } }
    func nextRequest() -> LinkRequest {
        state.withLock {
            $0.requests += 1
            return $0.requests
        }
    }
}

/// A clock that stands still except in ``advance(by:)``.
final class ManualTimekeeper: Timekeeper {
    private struct Pending {
        let moment: Uptime
        let body: @Sendable () -> Void
    }

    private struct Timer: PendingTimer {
        let id: Int
        let owner: ManualTimekeeper

        func cancel() { owner.state.withLock { $0.timers[id] = nil } }
    }

    private let state = Mutex((now: Uptime(nanoseconds: 0), next: 0, timers: [Int: Pending]()))

    var now: Uptime { state.withLock { $0.now } }

    /// How many timers run.
    var count: Int { state.withLock { $0.timers.count } }

    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> any PendingTimer {
        state.withLock { state in
            state.next += 1
            state.timers[state.next] = Pending(moment: state.now + delay, body: body)
            return Timer(id: state.next, owner: self)
        }
    }

    /// Lets time pass, and fires what becomes due.
    func advance(by delay: Duration) {
        let due = state.withLock { state in
            state.now = state.now + delay
            let due = state.timers.filter { $0.value.moment <= state.now }.sorted { $0.value.moment < $1.value.moment }
            for timer in due { state.timers[timer.key] = nil }
            return due.map(\.value.body)
        }
        for body in due { body() }
    }
}
