import GlassesCore
import GlassesPluginHost

/// The microphones, loudspeakers and cameras that the system device's plugin names.
struct DeviceInventory: Sendable, Hashable {
    /// One of them.
    struct Entry: Sendable, Hashable {
        /// What `--mic` and `--speaker` take.
        let name: String
        /// What a person reads.
        let description: String
    }

    /// Microphones.
    let capture: [Entry]
    /// Loudspeakers.
    let playback: [Entry]
    /// Cameras.
    let cameras: [ListedCamera]

    /// The inventory in the details of a transport's description.
    init(details: [String: JSONValue]) {
        capture = Self.entries(details["devices"]?["capture"])
        playback = Self.entries(details["devices"]?["playback"])
        cameras = ListedCamera.list(details)
    }

    /// Asks the plugin; starts no device.
    static func read(_ host: PluginHost) async -> Result<DeviceInventory, Problem> {
        switch await host.transport(id: DeviceOptions.Kind.system.pluginID) {
        case .failure(let error): return .failure(Problem(error))
        case .success(let transport):
            let inventory = DeviceInventory(details: transport.facts.details)
            await transport.shutdown()
            return .success(inventory)
        }
    }

    private static func entries(_ list: JSONValue?) -> [Entry] {
        (list?.arrayValue ?? []).compactMap { item in
            item["name"]?.stringValue.map { Entry(name: $0, description: item["description"]?.stringValue ?? "") }
        }
    }

    /// The inventory as one JSON object.
    func json(transports: [FoundPlugin]) -> JSONValue {
        let plugins = transports.map { plugin in
            JSONValue.object([
                "id": .string(plugin.manifest.id), "name": .string(plugin.manifest.name),
                "version": .string(plugin.manifest.version),
            ])
        }
        return [
            "microphones": .array(capture.map(\.json)), "speakers": .array(playback.map(\.json)),
            "cameras": .array(cameras.map(\.json)), "transports": .array(plugins),
        ]
    }

    /// The inventory for a person.
    func lines(transports: [FoundPlugin], _ console: Console) -> [String] {
        let plugins = transports.map { Entry(name: $0.manifest.id, description: $0.manifest.name) }
        return section("Microphones (--mic)", capture, console) + [""]
            + section("Loudspeakers (--speaker)", playback, console) + [""]
            + [console.styled("Cameras (--camera)", .bold)]
            + (cameras.isEmpty ? ["  none"] : cameras.flatMap { $0.lines(console) }) + [""]
            + section("Transports", plugins, console)
    }

    private func section(_ title: String, _ entries: [Entry], _ console: Console) -> [String] {
        let width = min(40, (entries.map(\.name.count).max() ?? 0) + 2)
        let lines = entries.map { entry in
            "  " + entry.name + String(repeating: " ", count: max(2, width - entry.name.count))
                + console.styled(entry.description, .faint)
        }
        return [console.styled(title, .bold)] + (lines.isEmpty ? ["  none"] : lines)
    }
}

extension DeviceInventory.Entry {
    fileprivate var json: JSONValue { ["name": .string(name), "description": .string(description)] }
}
