import GlassesCore
import GlassesPluginHost

/// Says which cameras there are, and why one cannot be used. Starts none: that would light its lamp.
enum CameraCheckup {
    static func run(_ host: PluginHost) async -> [Finding] {
        // A plugin that does not load was named by the check of its sound.
        guard case .success(let transport) = await host.transport(id: DeviceOptions.Kind.system.pluginID) else {
            return []
        }
        let findings = findings(ListedCamera.list(transport.facts.details))
        await transport.shutdown()
        return findings
    }

    /// Judges what the system device says of its cameras.
    static func findings(_ cameras: [ListedCamera]) -> [Finding] {
        guard !cameras.isEmpty else {
            return [
                Finding(
                    subject: "camera", level: .ok,
                    text: "none is connected; --camera pattern, or file:PATH with a picture, stands in for one")
            ]
        }
        return cameras.map { camera in
            if let problem = camera.problem { return Finding(subject: "camera", level: .warning, text: problem) }
            let largest = camera.modes.max { $0.width * $0.height < $1.width * $1.height }
            let size = largest.map { ", up to \($0.width)x\($0.height)" } ?? ""
            return Finding(subject: "camera", level: .ok, text: camera.name + size)
        }
    }
}
