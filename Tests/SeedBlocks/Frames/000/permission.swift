import MWDATCore

func cameraPermission(_ wearables: any WearablesInterface) async throws -> PermissionStatus {
    // BLOCK
    return cameraStatus
}
