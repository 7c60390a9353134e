import GlassesDomain

/// What the camera writes into the runtime's log; never a picture.
extension EventLog {
    /// The stream's choice of mode is told whatever the log level is: the app gets something else than it asked for.
    func log(_ note: CameraStateMachine.Note) {
        switch note {
        case .locked(let wish, let mode): announce("camera.stream_locked", payload(wish, mode))
        case .shared(let use, let wish, let mode):
            announce("camera.stream_shared", payload(wish, mode, ["op": .string(use.operation)]))
        case .retrying(let attempt, let error):
            log(.warn, "camera.open_retried", ["attempt": .int(Int64(attempt)), "code": .string(error.code)])
        case .stalled: log(.warn, "camera.stream_stalled")
        }
    }

    /// A use that came to nothing: refused before it began, or failed later.
    func logCapture(_ operation: String, failed error: CaptureError) {
        let isDenial =
            switch error {
            case .notConnected, .streamPaused, .disabledByUser, .permissionDenied: true
            case .platformError(let code, _): code == CaptureError.noCamera.code
            case .thermalCritical, .hingesClosed, .coexistenceBlocked: false
            }
        log(
            .warn, isDenial ? "camera.capture_denied" : "camera.capture_failed",
            [
                "op": .string(operation), "message": .string(error.description), "code": .string(error.code),
                "reason": .string(error == .streamPaused ? "stream_paused" : "camera_unavailable"),
            ])
    }

    private func payload(
        _ wish: CameraWish, _ mode: CameraMode, _ more: [String: JSONValue] = [:]
    ) -> JSONValue {
        let requested: JSONValue = [
            "resolution": .string(String(describing: wish.resolution)), "frameRate": .int(Int64(wish.frameRate)),
        ]
        let given: JSONValue = [
            "width": .int(Int64(mode.width)), "height": .int(Int64(mode.height)),
            "frameRate": .int(Int64(mode.frameRate)), "format": .string(mode.format.rawValue),
        ]
        return .object(more.merging(["requested": requested, "given": given]) { own, _ in own })
    }
}
