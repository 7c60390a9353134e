import Foundation

/// A URL with which the companion opens the app.
package enum CallbackURL: Equatable, Sendable {
    /// A registration ended; nil when the person agreed.
    case registration(Refusal?)
    /// An unregistration ended; nil when it succeeded.
    case unregistration(Refusal?)
    /// The person answered a permission; which one is often not said.
    case permission(Permission?, PermissionStatus)
    /// The person could not be asked for a permission.
    case permissionFailed(Permission?, Refusal)
    /// The companion would like to register the app.
    case registrationRequest

    /// The query item that marks such a URL, and names what it is about.
    package static let action = "metaWearablesAction"

    /// Reads a URL; nil when it is not one for this app.
    ///
    /// `scheme` is what the app's URLs begin with, `MWDAT.AppLinkURLScheme`; with an empty one every scheme counts.
    package init?(_ url: URL, scheme: String) {
        guard Self.begins(url, with: scheme),
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let action = value(Self.action) else { return nil }
        let refusal = value("error").map(Self.refusal)
        let permission = value("permission").flatMap(Permission.init(rawValue:))
        let status: PermissionStatus? = value("permission_granted").map { $0 == "true" ? .granted : .denied }
        let isTrusted = value("authorityKey")?.isEmpty == false
        switch action {
        case "permission":
            self = refusal.map { .permissionFailed(permission, $0) } ?? .permission(permission, status ?? .denied)
        case "register" where isTrusted || refusal != nil: self = .registration(refusal)
        // What answers a permission says so by this item, whatever it calls itself.
        case _ where status != nil && refusal == nil: self = .permission(permission, status ?? .denied)
        case "register": self = .registration(Self.incomplete)
        case "unregister": self = .unregistration(refusal)
        case "requestRegistration": self = .registrationRequest
        default: return nil
        }
    }

    /// The URL that tells this to an app with the given scheme; a registration comes with a trust anchor of `authorityKey` and
    /// `groupID`.
    package func url(scheme: String, authorityKey: String = "", groupID: String = "") -> URL? {
        var items: [URLQueryItem] = []
        func say(_ action: String, _ refusal: Refusal?) {
            items.append(URLQueryItem(name: Self.action, value: action))
            if let refusal { items.append(URLQueryItem(name: "error", value: refusal.check.rawValue)) }
        }
        switch self {
        case .registration(let refusal):
            say("register", refusal)
            if refusal == nil {
                items.append(URLQueryItem(name: "authorityKey", value: authorityKey))
                items.append(URLQueryItem(name: "constellationGroupId", value: groupID))
            }
        case .unregistration(let refusal): say("unregister", refusal)
        case .permission(let permission, let status):
            say("permission", nil)
            if let permission { items.append(URLQueryItem(name: "permission", value: permission.rawValue)) }
            items.append(URLQueryItem(name: "permission_granted", value: status == .granted ? "true" : "false"))
        case .permissionFailed(let permission, let refusal):
            say("permission", refusal)
            if let permission { items.append(URLQueryItem(name: "permission", value: permission.rawValue)) }
        case .registrationRequest: say("requestRegistration", nil)
        }
        var query = URLComponents()
        query.queryItems = items
        return URL(string: "\(scheme)?\(query.percentEncodedQuery ?? "")")
    }

    private static let incomplete = Refusal(
        .companion, "The companion's answer lacks the key by which the glasses trust the app: register again.",
        isRetryable: true)

    private static func begins(_ url: URL, with scheme: String) -> Bool {
        guard !scheme.isEmpty else { return true }
        guard scheme.hasSuffix("://") else { return url.absoluteString.hasPrefix(scheme) }
        return url.scheme?.lowercased() == scheme.dropLast(3).lowercased()
    }

    private static func refusal(_ code: String) -> Refusal {
        guard let check = Refusal.Check(rawValue: code) else {
            return Refusal(.companion, "The companion app refused: try again.", isRetryable: true)
        }
        return Refusal(check, "The companion app refused (\(check.rawValue)).", isRetryable: check != .configuration)
    }
}
