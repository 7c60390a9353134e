import CGlassesPlugin

/// One still that the host asked for: it ends exactly once, with a picture or with the reason why there is none.
///
/// A request that is let go without an ending fails with `request_dropped`.
public final class PhotoRequest: Sendable {
    private let request: PluginRequest
    private let camera: CameraHost

    init(request: PluginRequest, camera: CameraHost) {
        self.request = request
        self.camera = camera
    }

    /// The picture and the end of the request.
    ///
    /// - Parameters:
    ///   - file: a file of `format`, at most `GLASSES_PHOTO_MAX` bytes, read during the call only.
    ///   - format: what kind of file it is.
    ///   - width: in pixels, as the file has them.
    ///   - height: in pixels, as the file has them.
    ///   - rotation: clockwise degrees to turn the picture upright: 0, 90, 180 or 270.
    ///   - time: CLOCK_MONOTONIC of the exposure in nanoseconds, if it is known. [any]
    public func deliver(
        _ file: UnsafeRawBufferPointer, format: PhotoFormat, width: Int, height: Int, rotation: Int = 0,
        time: Int64? = nil
    ) {
        guard !file.isEmpty, file.count <= Int(GLASSES_PHOTO_MAX) else {
            return fail(.failed("photo_size", "The camera's picture is empty or too large; try again."))
        }
        var facts: [String: PluginJSON] = [
            "format": .string(format.rawValue), "width": .number(Double(width)), "height": .number(Double(height)),
            "rotation": .number(Double(rotation)),
        ]
        if let time { facts["takenNs"] = .number(Double(time)) }
        request.complete(after: { camera.deliver(request.id, file, facts: .object(facts)) })
    }

    /// Ends the request without a picture. [any]
    public func fail(_ failure: PluginFailure) { request.fail(failure) }
}
