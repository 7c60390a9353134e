import GlassesDomain
import Synchronization

/// What a vendor and its wearer have to agree to: the app's registration before a connect, and the camera after it.
final class VendorConsent: Sendable {
    /// How long a connect waits for the wearer's answer about the camera; the question itself stays open longer.
    private static let cameraLimit: Duration = .seconds(30)

    private let clock: ClockPort
    private let events: EventLog
    private let usesCamera: Bool
    private let hasAsked = Mutex(false)

    /// `usesCamera` says whether the app declares the camera: else the wearer is not asked for it.
    init(clock: ClockPort, events: EventLog, usesCamera: Bool) {
        self.clock = clock
        self.events = events
        self.usesCamera = usesCamera
    }

    /// Registers the app unless it is registered; answers why there is no registration.
    func register(_ port: any RegistrationPort) async -> ConnectError? {
        if await port.state() == .registered { return nil }
        events.announce("registration.started", nil)
        switch await port.register() {
        case .success: return nil
        case .failure(let error):
            events.log(.warn, "registration.refused", error.payload)
            return .registrationRequired
        }
    }

    /// Asks the wearer for the camera, once, where the app uses it and does not have it. A refusal is for the log: it shows again in
    /// the first capture.
    func askForCamera(_ port: any RegistrationPort) async {
        let isDue = hasAsked.withLock { hasAsked in
            defer { hasAsked = true }
            return usesCamera && !hasAsked
        }
        guard isDue else { return }
        switch await port.check(.camera) {
        case .success(true): return
        case .success(false): break
        case .failure(let error): events.log(.warn, "permission.unknown", error.payload)
        }
        events.announce("permission.asked", ["permission": .string(DevicePermission.camera.rawValue)])
        let answer = FirstAnswer<Void>()
        Task(executorPreference: RuntimeThreads.shared) { [self] in
            tell(await port.request(.camera))
            answer.resolve(())
        }
        let limit = Task(executorPreference: RuntimeThreads.shared) { [clock] in
            // Cancelled: the answer came in time.
            do { try await clock.sleepUntil(clock.now().advanced(by: Self.cameraLimit)) } catch { return }
            answer.resolve(())
        }
        await answer.value()
        limit.cancel()
    }

    private func tell(_ answer: ExtentosResult<Bool, ConnectError>) {
        let permission = JSONValue.string(DevicePermission.camera.rawValue)
        switch answer {
        case .success(let isGranted):
            events.announce("permission.answered", ["permission": permission, "granted": .bool(isGranted)])
        case .failure(let error): events.log(.warn, "permission.failed", error.payload)
        }
    }
}

extension ConnectError {
    fileprivate var payload: JSONValue { ["code": .string(code), "message": .string(description)] }
}
