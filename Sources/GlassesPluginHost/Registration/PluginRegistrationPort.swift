import GlassesDomain
import Synchronization

/// A plugin's registration extension behind the runtime's port.
final class PluginRegistrationPort: RegistrationPort {
    /// Makes a request; `prepared` gets its number before the plugin does.
    typealias Send =
        @Sendable (TransportCall, _ prepared: @Sendable (UInt64) -> Void) async -> RequestTable.Ending

    /// The ABI's own: the first report comes within it.
    private static let firstReportLimit: Duration = .seconds(3)
    /// A connect and an app that looks are two; who comes when so many wait is told that nothing is known.
    private static let waitingLimit = 64

    private let send: Send
    private let answers: AnswerShelf
    private let told = Mutex(Told())

    private struct Told {
        var state: DeviceRegistration?
        var waiting: [OnceContinuation<DeviceRegistration?>] = []
    }

    init(answers: AnswerShelf, send: @escaping Send) {
        self.answers = answers
        self.send = send
    }

    /// The plugin told the state.
    func changed(_ state: DeviceRegistration) {
        let waiting = told.withLock { told in
            defer { told.waiting = [] }
            told.state = state
            return told.waiting
        }
        for waiter in waiting { waiter.resume(state) }
    }

    func state() async -> DeviceRegistration {
        if let state = told.withLock({ $0.state }) { return state }
        let first = await withCheckedContinuation { (continuation: CheckedContinuation<DeviceRegistration?, Never>) in
            let waiter = OnceContinuation(continuation)
            let known = told.withLock { told -> DeviceRegistration? in
                if let state = told.state { return state }
                guard told.waiting.count < Self.waitingLimit else { return .unavailable }
                told.waiting.append(waiter)
                return nil
            }
            if let known {
                waiter.resume(known)
            } else {
                _ = Deadline.after(Self.firstReportLimit) { [self] in
                    told.withLock { $0.waiting.removeAll { $0 === waiter } }
                    waiter.resume(nil)
                }
            }
        }
        return first ?? .unavailable
    }

    func register() async -> ExtentosResult<Void, ConnectError> { await done(.registerApp) }

    func unregister() async -> ExtentosResult<Void, ConnectError> { await done(.unregisterApp) }

    func check(_ permission: DevicePermission) async -> ExtentosResult<Bool, ConnectError> {
        await answered(.checkPermission(permission))
    }

    func request(_ permission: DevicePermission) async -> ExtentosResult<Bool, ConnectError> {
        await answered(.requestPermission(permission))
    }

    /// Whether a URL was the companion's. A plugin that fails on its own URL has handled it.
    func handle(_ url: String) async -> Bool {
        switch await answer(of: .handleURL(url)) {
        case .success(let isHandled): isHandled
        case .failure(let failure): failure.result != .tooLarge && failure.result != .invalid
        }
    }

    private func done(_ call: TransportCall) async -> ExtentosResult<Void, ConnectError> {
        switch await send(call, { _ in }) {
        case .success: .success(())
        case .failure(let failure): .failure(ConnectError(failure))
        }
    }

    private func answered(_ call: TransportCall) async -> ExtentosResult<Bool, ConnectError> {
        switch await answer(of: call) {
        case .success(let answer): .success(answer)
        case .failure(let failure): .failure(ConnectError(failure))
        }
    }

    private func answer(of call: TransportCall) async -> Result<Bool, PluginFailureReport> {
        let id = Mutex<UInt64?>(nil)
        let ending = await send(call) { [answers] request in
            id.withLock { $0 = request }
            answers.expect(request)
        }
        let answer = id.withLock { $0 }.flatMap { answers.take($0) }
        if case .failure(let failure) = ending { return .failure(failure) }
        guard let answer else {
            return .failure(
                PluginFailureReport(
                    .failed, code: "no_answer",
                    message: "The plugin ended a request without its answer. Try again, or update the plugin."))
        }
        return .success(answer)
    }
}

/// Where a yes or no waits for the completion of its request: a plugin hands it over first.
final class AnswerShelf: Sendable {
    private let answers = Mutex<[UInt64: Bool?]>([:])

    /// An answer was asked for.
    func expect(_ request: UInt64) { answers.withLock { $0[request] = .some(nil) } }

    /// An answer arrived; false for one that nobody waits for.
    func put(_ answer: Bool, for request: UInt64) -> Bool {
        answers.withLock { answers in
            guard answers.keys.contains(request) else { return false }
            answers[request] = .some(answer)
            return true
        }
    }

    /// The request has ended: what arrived for it.
    func take(_ request: UInt64) -> Bool? { answers.withLock { $0.removeValue(forKey: request) ?? nil } }
}
