import CVideo4Linux
import Glibc
import GlassesPluginKit

/// A camera that Video4Linux knows.
package struct V4L2Camera: Sendable, Equatable {
    /// The name that stays when the camera is unplugged and plugged in again.
    package var name: String
    /// The model, as its driver names it.
    package var model: String
    /// Where it is now, such as `/dev/video0`.
    package var path: String
    /// What it can stream.
    var modes: [V4L2Mode]
    /// Why it cannot be used; nil when it can.
    package var problem: PluginFailure?

    /// Whether the setting `name` means this camera: by its stable name, or by where it is now.
    func answers(to name: String, in places: CameraPlaces) -> Bool {
        name == self.name || name == path || places.resolved(name) == path
    }

    /// The ABI's facts; nil for a camera that cannot stream.
    var description: CameraDescription? {
        guard problem == nil, !modes.isEmpty else { return nil }
        let formats = modes.compactMap { mode -> CameraFormat? in
            guard let format = V4L2Modes.pixelFormat(mode.pixels) else { return nil }
            return CameraFormat(
                format: format, width: mode.width, height: mode.height, frameRates: mode.intervals.keys.sorted(by: >))
        }
        return formats.isEmpty ? nil : CameraDescription(formats: formats)
    }
}

/// Where cameras are looked for.
package struct CameraPlaces: Sendable {
    /// Linux numbers its nodes from 0 and fills gaps first.
    private static let nodeLimit = 64

    /// The folder of device nodes.
    package var devices: String

    /// The places of this machine.
    package init(devices: String = "/dev") { self.devices = devices }

    /// The nodes that are there, by number.
    var nodes: [String] {
        (0..<Self.nodeLimit).map { "\(devices)/video\($0)" }.filter { path in
            var facts = stat()
            return stat(path, &facts) == 0
        }
    }

    /// The names that udev gives cameras, by the nodes that they lead to; for a node with several the first.
    var names: [String: String] {
        let folder = devices + "/v4l/by-id"
        guard let listing = opendir(folder) else { return [:] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted(by: >).reduce(into: [:]) { found, name in
            if let node = resolved(folder + "/" + name) { found[node] = name }
        }
    }

    /// Where a link in the end leads to; nil when nothing is there.
    func resolved(_ path: String) -> String? {
        guard path.hasPrefix("/"), let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension V4L2Camera {
    /// Every camera of this machine, in the order of their nodes. Opens each node, which starts no camera.
    static func all(in places: CameraPlaces) -> [V4L2Camera] {
        let names = places.names
        var cameras: [V4L2Camera] = []
        for path in places.nodes {
            guard var camera = V4L2Camera(path: path, names: names) else { continue }
            // Two sensors of one device have the same bus and model.
            let twins = cameras.count { $0.name == camera.name || $0.name.hasPrefix(camera.name + " #") }
            if twins > 0 { camera.name += " #\(twins + 1)" }
            cameras.append(camera)
        }
        return cameras
    }

    /// The camera that the setting `name` means, or why it cannot be used.
    static func find(_ name: String, in places: CameraPlaces) throws(PluginFailure) -> V4L2Camera {
        guard let camera = all(in: places).first(where: { $0.answers(to: name, in: places) }) else {
            throw .cameraNotFound(name)
        }
        if let problem = camera.problem { throw problem }
        return camera
    }

    /// The camera at a node; nil when the node is none.
    private init?(path: String, names: [String: String]) {
        do throws(V4L2Error) {
            let device = try V4L2Device(path: path)
            defer { device.close() }
            let identity = try device.identity()
            guard identity.is_camera != 0 else { return nil }
            let (model, bus) = (identity.cardText, identity.busText)
            self.init(
                name: names[path] ?? [bus, model].filter { !$0.isEmpty }.joined(separator: " "), model: model,
                path: path, modes: V4L2Modes.read(device), problem: nil)
            if name.isEmpty { name = path }
            if modes.isEmpty { problem = .cameraModeRefused(model.isEmpty ? path : model) }
        } catch {
            // A node that went away meanwhile, or belongs to something else.
            guard [EACCES, EPERM, EBUSY].contains(error.number) else { return nil }
            self.init(name: names[path] ?? path, model: path, path: path, modes: [], problem: nil)
            let isOurs = error.number != EBUSY && access(path, R_OK | W_OK) == 0
            problem = isOurs ? .cameraOutOfReach(path) : PluginFailure(error, camera: path)
        }
    }
}
