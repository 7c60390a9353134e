import GlassesCore
import GlassesPluginHost

/// Finds out whether a device can be used, by really connecting to it.
enum DeviceCheck {
    /// What is wrong with the device; nil when it can be used. A connect of this plugin takes 3 s at most.
    static func run(_ device: DeviceOptions, host: PluginHost) async -> Problem? {
        guard case .plugin(let id, let settings) = device.transport else { return nil }
        switch await host.transport(id: id, settings: .object(settings)) {
        case .failure(let error): return Problem(error)
        case .success(let transport):
            let connected = await transport.connect(deviceId: nil)
            await transport.disconnect()
            await transport.shutdown()
            return connected.failure.map { Problem($0) }
        }
    }
}
