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

    /// A callback of the companion: it ends what an unanswered registration or request has left open.
    private mutating func opened(_ text: String) {
        guard let items = URLComponents(string: text)?.queryItems else { return }
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { _, last in last })
        if let isGranted = values["permission_granted"] {
            guard let open = openRequests.first else { return }
            openRequests.removeFirst()
            let status = isGranted == "true" ? PermissionStatus.granted : .denied
            statuses[open.permission] = status
            return deliver(open.client, .permission(open.request, status))
        }
        switch values["metaWearablesAction"] {
        case "register": if registration == .registering { setRegistration(.registered) }
        case "unregister": unregister(.appRemoved)
        default: return
        }
    }
}
