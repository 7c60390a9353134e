import CGlassesPlugin

/// One question about a permission: it ends exactly once, with an answer or with the reason why there is none.
///
/// A request that is let go without an ending fails with `request_dropped`.
public final class PermissionRequest: Sendable {
    /// What is asked about.
    public let permission: PluginPermission
    private let request: PluginRequest
    private let registration: RegistrationHost

    init(_ permission: PluginPermission, request: PluginRequest, registration: RegistrationHost) {
        self.permission = permission
        self.request = request
        self.registration = registration
    }

    /// The answer, and the end of the request. A person who says no is an answer too. [any]
    public func answer(isGranted: Bool) {
        request.complete(after: { registration.answer(request.id, isGranted: isGranted) })
    }

    /// Ends the request without an answer. [any]
    public func fail(_ failure: PluginFailure) { request.fail(failure) }
}

/// One URL that the app was opened with: it ends exactly once.
///
/// One that is let go without an ending fails with `request_dropped`.
public final class OpenedURL: Sendable {
    /// The URL; it may hold secrets of the companion, so it is never logged.
    public let text: String
    private let request: PluginRequest
    private let registration: RegistrationHost

    init(_ text: String, request: PluginRequest, registration: RegistrationHost) {
        self.text = text
        self.request = request
        self.registration = registration
    }

    /// Whether the URL was the companion's, and the end of the request. [any]
    public func answer(isHandled: Bool) {
        request.complete(after: { registration.answer(request.id, isHandled: isHandled) })
    }

    /// Ends the request: the URL was the companion's, and what it brought failed. [any]
    public func fail(_ failure: PluginFailure) { request.fail(failure) }
}
