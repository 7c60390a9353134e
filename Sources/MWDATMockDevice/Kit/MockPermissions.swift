import MWDATCore

/// What the simulated person allows. Any thread.
public protocol MockPermissions: Sendable {
    /// Decides a permission: for checks, and for requests that come later. Taking the camera's away ends streams.
    func set(_ permission: Permission, _ status: PermissionStatus)
    /// Fixes what a request for a permission that is not granted results in; `granted` by default.
    func setRequestResult(_ permission: Permission, result: PermissionStatus)
}

/// The kit's permissions.
struct StagePermissions: MockPermissions {
    let stage: MockStage

    func set(_ permission: Permission, _ status: PermissionStatus) {
        stage.operate(.permissionSet(permission, status))
    }

    func setRequestResult(_ permission: Permission, result: PermissionStatus) {
        stage.operate(.requestResultSet(permission, result))
    }
}
