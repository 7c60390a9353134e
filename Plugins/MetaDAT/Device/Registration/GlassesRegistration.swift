import CGlassesPlugin
import Foundation
import GlassesPluginKit
import MWDATCore
import Synchronization

/// The app's registration with the companion, and what the wearer allows there.
final class GlassesRegistration: Sendable {
    /// A stored registration is known a moment after the start: until then `unavailable` says nothing.
    static let hydration: Duration = .milliseconds(2_500)

    private let wearables: any WearablesInterface
    private let host: TransportHost
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let isAsking = Mutex(false)

    init(_ wearables: any WearablesInterface, host: TransportHost) {
        self.wearables = wearables
        self.host = host
    }

    /// Tells the host the state from now on, the first time once it is known.
    func report() {
        let states = wearables.registrationStateStream()
        let task = Task { [host] in
            var isKnown = FirstState(limit: .now + Self.hydration)
            let late = Task {
                // Cancelled: a state came before.
                do { try await Task.sleep(for: Self.hydration) } catch { return }
                host.reportRegistration(.unavailable, reason: Self.reason)
            }
            for await state in states {
                guard isKnown.settles(with: state) else { continue }
                late.cancel()
                host.reportRegistration(state.onHost, reason: state.isRefused ? Self.reason : nil)
            }
            late.cancel()
        }
        tasks.withLock { $0.append(task) }
    }

    func shutdown() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    func register(_ request: PluginRequest) {
        Task { [wearables] in
            do throws(RegistrationError) {
                try await wearables.startRegistration()
                request.complete()
            } catch .alreadyRegistered {
                request.complete()
            } catch {
                request.fail(PluginFailure(error))
            }
        }
    }

    func unregister(_ request: PluginRequest) {
        Task { [wearables] in
            do throws(UnregistrationError) {
                try await wearables.startUnregistration()
                request.complete()
            } catch .alreadyUnregistered {
                request.complete()
            } catch {
                request.fail(.failed("unregistration_failed", error.description))
            }
        }
    }

    func check(_ request: PermissionRequest) {
        Task { [wearables] in
            do throws(PermissionError) {
                request.answer(
                    isGranted: try await wearables.checkPermissionStatus(request.permission.toolkit) == .granted)
            } catch {
                request.fail(PluginFailure(error))
            }
        }
    }

    func request(_ request: PermissionRequest) throws(PluginFailure) {
        let isFree = isAsking.withLock { isAsking in
            defer { isAsking = true }
            return !isAsking
        }
        guard isFree else {
            throw .busy("request_in_progress", "The wearer is being asked already. Wait for the answer.")
        }
        Task { [wearables] in
            do throws(PermissionError) {
                let answer = try await wearables.requestPermission(request.permission.toolkit)
                isAsking.withLock { $0 = false }
                request.answer(isGranted: answer == .granted)
            } catch {
                isAsking.withLock { $0 = false }
                request.fail(PluginFailure(error))
            }
        }
    }

    func open(_ url: OpenedURL) {
        guard let parsed = URL(string: url.text) else { return url.answer(isHandled: false) }
        Task { [wearables] in
            do throws(WearablesHandleURLError) {
                url.answer(isHandled: try await wearables.handleUrl(parsed))
            } catch {
                // The companion's, and a no: whoever asked hears of it.
                url.answer(isHandled: true)
            }
        }
    }

    private static var reason: PluginFailure? {
        let readiness = Wearables.readiness()
        return (readiness.companionRefusal ?? readiness.lastRefusals[.registration]).map { PluginFailure($0) }
    }
}

/// Holds the first `unavailable` back while a stored registration may still be loading.
private struct FirstState {
    var limit: ContinuousClock.Instant
    var isSettled = false

    mutating func settles(with state: RegistrationState) -> Bool {
        if state != .unavailable || ContinuousClock.now >= limit { isSettled = true }
        return isSettled
    }
}

extension RegistrationState {
    /// Whether there may be a reason why the app is not registered.
    fileprivate var isRefused: Bool { self == .unavailable || self == .available }

    fileprivate var onHost: PluginRegistration {
        switch self {
        case .unavailable: .unavailable
        case .available: .available
        case .registering: .registering
        case .registered: .registered
        }
    }
}

extension PluginPermission {
    fileprivate var toolkit: Permission {
        switch self {
        case .camera: .camera
        case .microphone: .microphone
        }
    }
}

extension PluginFailure {
    fileprivate init(_ error: RegistrationError) {
        switch error {
        case .metaAINotInstalled, .networkUnavailable:
            self = .unavailable("no_companion", error.description)
        case .timeout: self.init(GLASSES_ERROR_TIMEOUT, code: "timeout", message: error.description)
        default: self.init(GLASSES_ERROR_DENIED, code: "registration_refused", message: error.description)
        }
    }

    fileprivate init(_ error: PermissionError) {
        switch error {
        case .requestInProgress: self = .busy("request_in_progress", error.description)
        case .requestTimeout: self.init(GLASSES_ERROR_TIMEOUT, code: "timeout", message: error.description)
        case .metaAINotInstalled: self = .unavailable("no_companion", error.description)
        case .noDevice, .noDeviceWithConnection: self = .unavailable("device_unreachable", error.description)
        default: self = .failed("permission_failed", error.description)
        }
    }
}
