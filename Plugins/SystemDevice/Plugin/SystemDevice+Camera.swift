import GlassesPluginKit
import SystemDeviceCamera

extension SystemDevice {
    func startCamera(_ request: PluginRequest, configuration: CameraConfiguration, ring: VideoRing)
        throws(PluginFailure)
    {
        guard let camera else { throw .withoutStream }
        guard isConnected else {
            throw .wrongState("The device is not connected; connect it before its camera is started.")
        }
        camera.start(configuration, ring, ending: try beginning("camera", request))
    }

    func stopCamera(_ request: PluginRequest) throws(PluginFailure) {
        guard let camera else { throw .withoutStream }
        hasEnded("camera")
        camera.stop(ending: request.end)
    }

    /// The cameras of this machine, and the driver of the one that `choice` means, nil for none; or why there is not what was asked
    /// for, which a connect tells. At most 2 s, whatever drivers do.
    func chooseCamera(_ choice: CameraChoice) -> ([V4L2Camera], Result<CameraDriver?, PluginFailure>) {
        var cameras: [V4L2Camera] = []
        do {
            if choice.isAboutDevices { cameras = try CameraScan.run() }
            return (cameras, .success(try choice.source(among: cameras).map(driver)))
        } catch {
            guard choice == .automatic else { return (cameras, .failure(error)) }
            // Nobody asked for this camera; the sound works without it.
            host.log.warning("\(error.code): \(error.message)")
            return (cameras, .success(nil))
        }
    }

    private func driver(_ source: any CameraSource) -> CameraDriver {
        if let pictures = source as? PictureSource, pictures.skipped > 0 {
            host.log.warning(
                "\(pictures.name): \(pictures.skipped) pictures are left out: no whole JPEG, too many, or of too many sizes"
            )
        }
        return CameraDriver(
            source,
            reports: CameraDriver.Reports(
                stopped: { [weak self, host] failure in
                    self?.hasEnded("camera")
                    host.reportCamera(.stopped(failure))
                }, log: { [host] in host.log.debug($0) }))
    }
}
