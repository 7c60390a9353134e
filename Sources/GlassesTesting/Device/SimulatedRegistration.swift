import GlassesDomain
import Synchronization

/// A vendor's companion that exists only in a test: it asks nobody, and answers when the test opens a URL for it.
public final class SimulatedRegistration: RegistrationPort {
    private struct Storage {
        var state: DeviceRegistration
        var granted: Set<DevicePermission>
        var waiting: [CheckedContinuation<Bool, Never>] = []
        var requests: [DevicePermission] = []
    }

    /// What the companion understands: `simulated://yes` and `simulated://no`, for everything that waits.
    public static let yes = "simulated://yes"
    /// See ``yes``.
    public static let no = "simulated://no"

    private let storage: Mutex<Storage>

    /// A companion that knows the app already, or not.
    public init(isRegistered: Bool = false, granted: Set<DevicePermission> = []) {
        storage = Mutex(Storage(state: isRegistered ? .registered : .available, granted: granted))
    }

    /// How many questions wait for an answer.
    public var openQuestions: Int { storage.withLock { $0.waiting.count } }

    /// What the wearer was asked for, in order.
    public var requests: [DevicePermission] { storage.withLock { $0.requests } }

    /// Answers everything that waits; false for a URL of somebody else.
    public func open(_ url: String) -> Bool {
        guard url == Self.yes || url == Self.no else { return false }
        let waiting = storage.withLock { storage in
            defer { storage.waiting = [] }
            return storage.waiting
        }
        for question in waiting { question.resume(returning: url == Self.yes) }
        return true
    }

    /// The state now.
    public func state() async -> DeviceRegistration { storage.withLock { $0.state } }

    /// Waits for the answer; a no is `permissionDenied`.
    public func register() async -> ExtentosResult<Void, ConnectError> {
        storage.withLock { $0.state = .registering }
        let isAgreed = await asked()
        storage.withLock { $0.state = isAgreed ? .registered : .available }
        return isAgreed ? .success(()) : .failure(.permissionDenied)
    }

    /// Forgets the app.
    public func unregister() async -> ExtentosResult<Void, ConnectError> {
        storage.withLock { storage in
            storage.state = .available
            storage.granted = []
        }
        return .success(())
    }

    /// What was granted so far.
    public func check(_ permission: DevicePermission) async -> ExtentosResult<Bool, ConnectError> {
        .success(storage.withLock { $0.granted.contains(permission) })
    }

    /// Waits for the answer.
    public func request(_ permission: DevicePermission) async -> ExtentosResult<Bool, ConnectError> {
        storage.withLock { $0.requests.append(permission) }
        let isGranted = await asked()
        if isGranted { storage.withLock { _ = $0.granted.insert(permission) } }
        return .success(isGranted)
    }

    private func asked() async -> Bool {
        await withCheckedContinuation { question in storage.withLock { $0.waiting.append(question) } }
    }
}
