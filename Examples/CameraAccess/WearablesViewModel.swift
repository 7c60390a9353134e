import MWDATCore

/// Registration and devices, as the sample app's view model of the same name.
@MainActor
final class WearablesViewModel {
    private(set) var registrationState: RegistrationState
    private(set) var devices: [DeviceIdentifier]
    /// The device that was chosen; nil: whichever is worn.
    var chosen: DeviceIdentifier?

    private let wearables = Wearables.shared
    private var observers: [Task<Void, Never>] = []

    init() {
        registrationState = wearables.registrationState
        devices = wearables.devices
    }

    /// Follows the toolkit until ``stopObserving()``; `changed` is called with a line for the person.
    func observe(_ changed: @escaping @MainActor (String) -> Void) {
        observers.append(
            Task { [weak self, wearables] in
                for await state in wearables.registrationStateStream() {
                    guard let self else { return }
                    if self.registrationState != state { changed("registration: \(state)") }
                    self.registrationState = state
                }
            })
        observers.append(
            Task { [weak self, wearables] in
                for await devices in wearables.devicesStream() {
                    guard let self else { return }
                    if self.devices != devices { changed("devices: \(devices.count)") }
                    self.devices = devices
                }
            })
    }

    func stopObserving() {
        for observer in observers { observer.cancel() }
        observers = []
    }

    func register() async throws {
        if registrationState != .registered { try await wearables.startRegistration() }
        if try await wearables.checkPermissionStatus(.camera) != .granted {
            let status = try await wearables.requestPermission(.camera)
            guard status == .granted else { throw CameraAccessError.permissionDenied }
        }
    }

    func unregister() async throws { try await wearables.startUnregistration() }

    /// One line for each device, numbered from 1.
    func deviceLines() -> [String] {
        devices.enumerated().map { index, identifier in
            guard let device = wearables.deviceForIdentifier(identifier) else { return "\(index + 1)  \(identifier)" }
            let mark = identifier == chosen ? "*" : " "
            let battery = device.batteryLevel.map { ", battery \($0) %" } ?? ""
            return "\(mark)\(index + 1)  \(device.nameOrId()) (\(device.deviceType().rawValue)): \(device.linkState), "
                + "\(device.compatibility().displayString.lowercased()), \(device.donState)\(battery)"
        }
    }

    func choose(_ number: Int) throws {
        guard number >= 1, number <= devices.count else { throw CameraAccessError.noSuchDevice(number) }
        chosen = devices[number - 1]
    }

    /// Why no session can be started now, for a person.
    func whatIsMissing() -> String {
        let readiness = Wearables.readiness()
        let reasons = readiness.devices.compactMap { chosen == nil ? $0.automaticRefusal : $0.refusal }.map(\.message)
        return ([readiness.phase.description] + reasons).joined(separator: ": ")
    }
}

/// What this app cannot do.
enum CameraAccessError: Error, CustomStringConvertible {
    case permissionDenied
    case noSuchDevice(Int)
    case noSession
    case noPreview
    case noMock
    case notStarted(String)

    var description: String {
        switch self {
        case .permissionDenied: "The camera was not allowed. Type register to be asked again."
        case .noSuchDevice(let number): "There is no device \(number). Type devices to see them."
        case .noSession: "There is no session. Type start first."
        case .noPreview: "There is no preview. Type preview first."
        case .noMock: "There are no glasses to do that with."
        case .notStarted(let reason): "The session did not start: \(reason)"
        }
    }
}
