import CCurl
import CShims
import Foundation
import GlassesDomain
import Synchronization

/// The network thread of the process: every connection runs on it, see docs/decisions/network-thread.md.
///
/// All members may be called on any thread and return at once.
public final class NetworkLoop: Sendable {
    /// The one loop. Its thread, `glasses-net`, starts with the first connection and runs as long as the process.
    public static let shared = NetworkLoop()

    private let mailbox = Mutex<LoopMailbox?>(nil)
    private let lastID = Atomic<UInt64>(0)
    private static let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    private init() {}

    /// Makes a participant on the network thread; throws when the thread cannot be started, and a later call tries again.
    func adopt(
        _ make: @escaping @Sendable (LoopCore, ParticipantID) -> any LoopParticipant
    ) throws(NetworkError) -> LoopAddress {
        let mailbox = try runningMailbox()
        let id = ParticipantID(value: lastID.add(1, ordering: .relaxed).newValue)
        mailbox.post(.adopt(id, make))
        return LoopAddress(id: id, mailbox: mailbox)
    }

    private func runningMailbox() throws(NetworkError) -> LoopMailbox {
        let running = mailbox.withLock { mailbox in
            if mailbox == nil { mailbox = Self.startThread() }
            return mailbox
        }
        guard let running else { throw NetworkError.noResources }
        return running
    }

    private static func startThread() -> LoopMailbox? {
        guard libraryIsReady, let mailbox = LoopMailbox(), let poller = Poller(),
            let core = LoopCore(mailbox: mailbox, poller: poller)
        else { return nil }
        // Unsafe because the compiler cannot see that the creating thread never touches it again.
        nonisolated(unsafe) let moved = core
        Thread.detachNewThread {
            cshims_name_thread("glasses-net")
            blockSignals()
            moved.run()
        }
        return mailbox
    }

    /// Handlers of the app run on its own threads, and a SIGPIPE stays pending here for ever instead of ending the process.
    private static func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
    }
}

/// Where a participant can be woken from any thread.
struct LoopAddress: Sendable {
    let id: ParticipantID
    let mailbox: LoopMailbox

    /// Tells the participant that its handle has news; one that has ended ignores it.
    func wake() { mailbox.post(.wake(id)) }
}
