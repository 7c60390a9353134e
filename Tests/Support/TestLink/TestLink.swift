import Dispatch
import MWDATCore
import Synchronization

/// A link whose other end is the test: it keeps the commands, answers them by a rule, and delivers what it is told to.
///
/// By its own rule (`obliging`) it opens and closes sessions, grants everything, registers and unregisters at once. A test changes
/// single answers with ``answer(_:)``, and says what happens on the glasses with ``deliver(_:)``.
package final class TestLink: WearablesLink {
    /// Answers a command: nil leaves it to the next rule, an empty list gives no answer at all.
    package typealias Rule = @Sendable (LinkCommand) -> [LinkEvent]?

    private struct State {
        var deliver: (@Sendable (LinkEvent) -> Void)?
        var commands: [LinkCommand] = []
        var rules: [Rule] = []
    }

    /// The events that ``open(_:)`` begins with.
    private let greeting: [LinkEvent]
    private let queue = DispatchQueue(label: "test link")
    private let state = Mutex(State())

    /// A link that greets with a registered app and these glasses.
    package init(
        registration: RegistrationState = .registered, devices: [LinkDevice] = [.test()], greeting: [LinkEvent]? = nil
    ) {
        self.greeting =
            greeting ?? [
                .available(LinkPeer(name: "test link", version: "1")), .registration(registration, nil),
                .devices(devices),
            ]
    }

    package func open(_ deliver: @escaping @Sendable (LinkEvent) -> Void) {
        state.withLock { $0.deliver = deliver }
        for event in greeting { self.deliver(event) }
    }

    package func send(_ command: LinkCommand) {
        let rules = state.withLock { state in
            state.commands.append(command)
            return state.rules
        }
        for event in answer(to: command, by: rules) { deliver(event) }
    }

    /// Asks each rule once: a test's rule may count.
    private func answer(to command: LinkCommand, by rules: [Rule]) -> [LinkEvent] {
        for rule in rules.reversed() { if let events = rule(command) { return events } }
        return Self.obliging(command)
    }

    package func close() {
        state.withLock { $0.deliver = nil }
        queue.sync {}
    }

    /// Tells the toolkit what happens, and returns when its machines know.
    package func deliver(_ event: LinkEvent) {
        queue.sync { state.withLock { $0.deliver }?(event) }
    }

    /// Everything that was sent, in order.
    package var commands: [LinkCommand] { state.withLock { $0.commands } }

    /// Adds a rule, which comes before those added earlier.
    package func answer(_ rule: @escaping Rule) { state.withLock { $0.rules.append(rule) } }

    /// Leaves commands without an answer.
    package func ignore(where matches: @escaping @Sendable (LinkCommand) -> Bool) { answer { matches($0) ? [] : nil } }

    /// The number of the last session that was asked for.
    package var openedSession: LinkSession? {
        commands.reversed().lazy.compactMap { command -> LinkSession? in
            if case .openSession(let session, _, _) = command { session } else { nil }
        }.first
    }

    private static func obliging(_ command: LinkCommand) -> [LinkEvent] {
        switch command {
        case .register: [.registration(.registering, nil), .registration(.registered, nil)]
        case .unregister: [.registration(.available, nil)]
        case .checkPermission(_, let request), .requestPermission(_, let request): [.permission(request, .granted)]
        case .openUpdate(_, let request): [.navigation(request, nil)]
        case .openSession(let session, _, _): [.sessionStarted(session)]
        case .closeSession(let session): [.sessionEnded(session, nil)]
        case .startStream(let session, let stream, _): [.streamStarted(session, stream)]
        case .stopStream(let session, let stream): [.streamEnded(session, stream, nil)]
        case .holdStream(let session, let stream, let held):
            [held ? .streamPaused(session, stream) : .streamResumed(session, stream)]
        case .startDisplay(let session): [.displayStarted(session)]
        case .stopDisplay(let session): [.displayEnded(session, nil)]
        case .showView(let session, let request, _), .clearDisplay(let session, let request):
            [.viewShown(session, request)]
        case .stopPlayback(let session): [.playback(session, .stopped)]
        case .cancelRegistration, .openedURL, .answerRegistrationRequest, .requestKeyFrame, .capturePhoto: []
        }
    }
}

extension LinkDevice {
    /// Connected, compatible, worn glasses.
    package static func test(
        _ identifier: DeviceIdentifier = "glasses-1", name: String = "Test glasses", type: DeviceType = .rayBanMeta,
        _ change: (inout DeviceState) -> Void = { _ in }
    ) -> LinkDevice {
        var state = DeviceState(
            linkState: .connected, compatibility: .compatible, batteryLevel: 80, chargingState: .notCharging,
            donState: .donned, hingeState: .open, thermalLevel: .none)
        change(&state)
        return LinkDevice(identifier: identifier, name: name, type: type, firmware: "1.0", state: state)
    }
}
