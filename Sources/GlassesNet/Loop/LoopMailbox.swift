import CShims
import Glibc
import Synchronization

/// What other threads leave for the network thread.
enum LoopCommand: Sendable {
    /// Makes a participant on the network thread.
    case adopt(ParticipantID, @Sendable (LoopCore, ParticipantID) -> any LoopParticipant)
    /// Tells a participant that its handle has news.
    case wake(ParticipantID)
}

/// The way into the network thread, from any other one: an array behind a mutex and one eventfd write for each batch.
///
/// It has no bound of its own: a handle leaves at most one `wake` at a time, so that it holds at most two commands for each
/// connection of the process.
final class LoopMailbox: Sendable {
    private let commands = Mutex<[LoopCommand]>([])
    /// Written to for each batch of commands. It is never read: its reader is told of each write.
    let descriptor: Int32

    /// Nil when the process has no descriptor left.
    init?() {
        let descriptor = cshims_eventfd()
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        // A growing array would otherwise allocate in the microphone's path now and then.
        commands.withLock { $0.reserveCapacity(64) }
    }

    deinit { close(descriptor) }

    /// Leaves a command; the thread is woken once for all that came since it last looked.
    func post(_ command: LoopCommand) {
        let isFirst = commands.withLock { commands in
            commands.append(command)
            return commands.count == 1
        }
        if isFirst { cshims_eventfd_signal(descriptor) }
    }

    /// Exchanges what waits for `spare`, which keeps its memory. Called on the network thread.
    func take(into spare: inout [LoopCommand]) {
        spare.removeAll(keepingCapacity: true)
        commands.withLock { swap(&$0, &spare) }
    }
}
