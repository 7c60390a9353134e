import Dispatch
import Foundation
import MWDATCore
import Synchronization
import TestLink

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
