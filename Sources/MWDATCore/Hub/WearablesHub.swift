import Dispatch
import Synchronization

/// The toolkit behind ``WearablesInterface``: its machines under one lock, and two serial queues.
///
/// What happens is applied to the machines under the lock, which also puts every resulting command and announcement in its queue:
/// so all of them are in one order. No code of an app, of a link or of a session's part runs under the lock.
///
/// The queues are of a class above the default one, whose threads Swift's pool shares: an app that blocks its pool, in a test that waits
/// for an event above all, would otherwise hold up the very event.
package final class WearablesHub: WearablesInterface {
    /// Carries commands to the link, and the link's events to the parts of sessions. No app code runs here.
    package let work = DispatchQueue(label: "org.extentos.mwdat.work", qos: .userInitiated)
    /// Carries announcements to the app's listeners. An app that blocks here holds up other listeners, and nothing else.
    package let announcements = DispatchQueue(label: "org.extentos.mwdat.announcements", qos: .userInitiated)
    /// Links are replaced one after the other: none is closed before it has been opened.
    private let replacements = DispatchQueue(label: "org.extentos.mwdat.links", qos: .userInitiated)
    package let timekeeper: any Timekeeper
    package let configuration: Configuration
    /// What becomes of listener tokens that are dropped.
    package let tokenRule: TokenRule

    let registrationListeners: ListenerStore<RegistrationState>
    let registrationStreams = StateStreams(of: RegistrationState.unavailable)
    let deviceListeners: ListenerStore<[DeviceIdentifier]>
    let deviceStreams = StateStreams(of: [DeviceIdentifier]())
    let requestListeners: ListenerStore<RegistrationRequest>
    private let identifiers = Atomic<UInt64>(0)
    private let state: Mutex<HubState>

    /// A toolkit that talks over `link`; ``open()`` begins.
    package init(
        link: any WearablesLink, configuration: Configuration, timekeeper: any Timekeeper = SystemTimekeeper.shared,
        tokenRule: TokenRule = .ofProcess, problems: [ConfigurationProblem]? = nil
    ) {
        self.timekeeper = timekeeper
        self.configuration = configuration
        self.tokenRule = tokenRule
        registrationListeners = ListenerStore("addRegistrationStateListener", on: announcements, rule: tokenRule)
        deviceListeners = ListenerStore("addDevicesListener", on: announcements, rule: tokenRule)
        requestListeners = ListenerStore("addRegistrationRequestListener", on: announcements, rule: tokenRule)
        state = Mutex(
            HubState(
                link: link, roster: DeviceRoster(on: announcements, rule: tokenRule),
                problems: problems ?? configuration.problems))
        open(link)
    }

    /// A number that was never used before: a session's, a stream's, a request's.
    package func nextIdentifier() -> UInt64 { identifiers.add(1, ordering: .relaxed).newValue }

    /// Talks over another link from now on. Sessions and requests of the old one end; listeners stay. The old link is closed and the
    /// new one opened when this returns. Not to be called from a link's `deliver`.
    package func use(link: any WearablesLink) {
        replacements.sync {
            let old = change { state in
                loseLink(.linkReplaced, &state)
                defer { (state.link, state.linkRefusal) = (link, .notOpened) }
                return state.link
            }
            work.sync { old.close() }
            open(link)
        }
    }

    /// Ends every session, and the link. For tests and for a process that ends.
    package func shutDown() { use(link: NoLink()) }

    /// Lets `link` be asked to register, unregister, and to allow things, in the place of the link; nil for the link again.
    package func use(companion: (any WearablesCompanion)?) {
        change { state in
            if let earlier = state.companion { state.release(earlier) }
            state.companion = companion
        }
    }

    /// Reads and changes the state; afterwards whoever waits for an answer that this gave is told.
    func change<R: Sendable>(_ body: (inout HubState) -> R) -> R {
        let (result, replies) = state.withLock { state in
            let result = body(&state)
            defer { state.replies = [] }
            return (result, state.replies)
        }
        for reply in replies { reply() }
        return result
    }

    /// Puts a command in the queue to the link of now; a link that is replaced before its turn does not get it.
    func send(_ command: LinkCommand, _ state: inout HubState) {
        let link = state.link
        work.async { [self] in
            guard self.state.withLock({ $0.link === link }) else { return }
            link.send(command)
        }
    }

    private func open(_ link: any WearablesLink) {
        link.open { [weak self, weak link] event in
            guard let self, let link else { return }
            self.receive(event, from: link)
        }
    }
}

/// Where nothing is linked yet.
final class NoLink: WearablesLink {
    func open(_ deliver: @escaping @Sendable (LinkEvent) -> Void) { deliver(.unavailable(.noLink)) }
    func send(_ command: LinkCommand) {}
    func close() {}
}
