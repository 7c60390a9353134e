import Foundation
import MWDATCore

extension MockWorld {
    /// Registration, permissions and pages of the companion.
    mutating func carryOutForCompanion(_ command: LinkCommand, from client: MockClient) {
        switch command {
        case .register:
            if registration != .registered { broadcast(.registration(.registering, nil)) }
            setRegistration(.registered)
        case .cancelRegistration:
            if registration == .registering { setRegistration(.available) }
        case .unregister: unregister(.appRemoved)
        case .openedURL(let text): opened(text)
        case .answerRegistrationRequest(_, let isAccepted):
            if isAccepted, registration != .registered { setRegistration(.registered) }
        case .checkPermission(let permission, let request):
            guard let refusal = permissionRefusal else {
                return deliver(client, .permission(request, statuses[permission] ?? .denied))
            }
            deliver(client, .permissionFailed(request, refusal))
        case .requestPermission(let permission, let request): self.request(permission, request, from: client)
        case .openUpdate(_, let request):
            deliver(client, .navigation(request, registration == .registered ? nil : .notRegistered))
        default: return
        }
    }

    mutating func setRegistration(_ state: RegistrationState, _ reason: Refusal? = nil) {
        registration = state
        broadcast(.registration(state, reason))
    }

    /// The app is removed, with everything that it had.
    mutating func unregister(_ reason: Refusal) {
        endAllSessions(reason)
        setRegistration(.available, reason == .appRemoved ? nil : reason)
    }

    private var permissionRefusal: Refusal? {
        if registration != .registered { return .notRegistered }
        if !glasses.contains(where: \.isListed) { return .noDevice }
        if !glasses.contains(where: { $0.linkState == .connected }) { return .notConnected }
        return nil
    }

    private mutating func request(_ permission: Permission, _ request: LinkRequest, from client: MockClient) {
        if let refusal = permissionRefusal { return deliver(client, .permissionFailed(request, refusal)) }
        if statuses[permission] != .granted { statuses[permission] = requestResults[permission] ?? .granted }
        deliver(client, .permission(request, statuses[permission] ?? .denied))
    }

    /// A callback of the companion, which the toolkit forwards once it has accepted it: also the answer to what the toolkit asked a
    /// companion of the app's, and one that comes after the toolkit has given up. It ends what was left open.
    private mutating func opened(_ text: String) {
        guard let url = URL(string: text), let callback = CallbackURL(url, scheme: "") else { return }
        switch callback {
        case .registration(nil): if registration != .registered { setRegistration(.registered) }
        case .registration(let refusal): if registration == .registering { setRegistration(.available, refusal) }
        case .unregistration(nil): unregister(.appRemoved)
        case .unregistration, .registrationRequest: return
        case .permission(let permission, let status):
            let open = takeOpenRequest(for: permission)
            guard let permission = permission ?? open?.permission else { return }
            statuses[permission] = status
            if let open { deliver(open.client, .permission(open.request, status)) }
        case .permissionFailed(let permission, let refusal):
            if let open = takeOpenRequest(for: permission) {
                deliver(open.client, .permissionFailed(open.request, refusal))
            }
        }
    }

    /// Takes out the oldest request that an answer may be for; an answer without a permission is for any.
    private mutating func takeOpenRequest(for permission: Permission?) -> PermissionRequest? {
        let place = openRequests.firstIndex { permission == nil || $0.permission == permission }
        return place.map { openRequests.remove(at: $0) }
    }
}
