import Foundation

/// Asks the person in the place of a phone's companion app: a test, or a question in a terminal.
///
/// When one is set with ``Wearables/use(companion:)``, it is asked for registration, unregistration, permissions and pages of
/// updates; the link is only told of its answers.
public protocol WearablesCompanion: Sendable {
    /// Shows a request to the person, and comes back with the URL that the app is opened with (``CompanionRequest/agreed()``,
    /// ``CompanionRequest/declined()``); nil when that comes later through ``WearablesInterface/handleUrl(_:)``, or when a page was shown.
    ///
    /// The toolkit waits for a minute. It may be called for another request while one is open.
    ///
    /// - Throws: why the person cannot be asked.
    func open(_ request: CompanionRequest) async throws(Refusal) -> URL?
}

/// What a companion is to ask.
public struct CompanionRequest: Sendable, Hashable {
    /// What it is about.
    public enum Question: Sendable, Hashable {
        /// Whether the glasses may trust the app.
        case register
        /// Whether the app's registration is to be removed.
        case unregister
        /// Whether the app may use something.
        case permission(Permission)
        /// Show the page that updates the glasses' firmware.
        case firmwareUpdate
        /// Show the page that updates the app on the glasses.
        case glassesAppUpdate
    }

    /// What it is about.
    public let question: Question
    /// The app's name.
    public let appName: String
    /// What the answer's URL begins with.
    public let callbackScheme: String

    /// A request with the given values.
    public init(question: Question, appName: String, callbackScheme: String) {
        self.question = question
        self.appName = appName
        self.callbackScheme = callbackScheme
    }

    /// The URL that says yes, with a new key for a registration; nil for a page, which has no answer.
    public func agreed() -> URL? {
        switch question {
        case .register:
            url(.registration(nil), key: UUID().uuidString, group: UUID().uuidString)
        case .unregister: url(.unregistration(nil))
        case .permission(let permission): url(.permission(permission, .granted))
        case .firmwareUpdate, .glassesAppUpdate: nil
        }
    }

    /// The URL that says no; nil for a page, which has no answer.
    public func declined() -> URL? {
        let refusal = Refusal(.companion, "The person declined.", isRetryable: true)
        return switch question {
        case .register: url(.registration(refusal))
        case .unregister: url(.unregistration(refusal))
        case .permission(let permission): url(.permission(permission, .denied))
        case .firmwareUpdate, .glassesAppUpdate: nil
        }
    }

    private func url(_ callback: CallbackURL, key: String = "", group: String = "") -> URL? {
        callback.url(
            scheme: callbackScheme.isEmpty ? "app://" : callbackScheme, authorityKey: key, groupID: group)
    }
}
