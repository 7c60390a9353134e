import CShims
import Glibc

/// How the child program ends by its own decision; the host reads the status.
enum ChildExit: Int32, Sendable, Hashable, CaseIterable {
    /// The instance was destroyed as asked.
    case done = 0
    /// Started by hand, or with wrong arguments.
    case wrongUse = 2
    /// The host's messages make no sense: the two programs do not fit each other.
    case hostMisunderstood = 70
    /// The plugin calls back faster than the host takes it, with callbacks that must not be lost.
    case flooded = 71
    /// The system has no memory or descriptors left.
    case outOfResources = 72

    /// Ends this process and whatever the plugin started in its group; no destructor of the plugin runs.
    func leave() -> Never {
        _exit(rawValue)
    }

    /// The host has ended: nobody is left to read a status.
    static func leaveOrphaned() -> Never {
        kill(0, SIGKILL)
        _exit(0)
    }
}
