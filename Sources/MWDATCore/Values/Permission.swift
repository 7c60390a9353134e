/// What a person may allow an app to use.
public enum Permission: String, CaseIterable, Sendable {
    case camera
    case microphone
}

/// What the person decided.
public enum PermissionStatus: String, CaseIterable, Sendable {
    case granted
    case denied
}
