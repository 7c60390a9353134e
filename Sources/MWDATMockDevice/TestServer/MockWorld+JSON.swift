import GlassesDomain
import MWDATCore

extension MockWorld {
    /// What the test server tells of the world.
    var json: JSONValue {
        [
            "isEnabled": .bool(isEnabled), "registrationState": .string("\(registration)"),
            "permissions": .object(
                Dictionary(uniqueKeysWithValues: statuses.map { ($0.key.rawValue, .string($0.value.rawValue)) })),
            "pairedDeviceCount": .int(Int64(glasses.count)),
            "deviceIds": .array(glasses.map { .string($0.identifier) }),
            "devices": .array(glasses.map(json)),
        ]
    }

    private func json(_ glasses: SimulatedGlasses) -> JSONValue {
        let state = glasses.state(tellsDon: true)
        let session = glasses.session.flatMap { sessions[$0] }
        return [
            "deviceId": .string(glasses.identifier), "name": .string(glasses.name),
            "model": .string(glasses.type.rawValue), "isPoweredOn": .bool(glasses.isPowered),
            "isUnfolded": .bool(glasses.isUnfolded), "isDonned": .bool(glasses.isDonned),
            "linkState": .string(state.linkState.rawValue), "compatibility": .string(state.compatibility.rawValue),
            "batteryLevel": .int(Int64(glasses.battery)), "chargingState": .string(state.chargingState.rawValue),
            "thermalLevel": .string(state.thermalLevel.rawValue),
            "session": .string(session.map { $0.pause == nil ? "started" : "paused" } ?? "none"),
            "isStreaming": .bool(session?.stream != nil && session?.pause == nil),
            "droppedFrames": .int(Int64(session?.stream?.queue.dropped ?? 0)),
            "feed": .string(glasses.feed.description),
            "display": session?.display.map { .array(Self.texts($0).map(JSONValue.string)) } ?? .null,
        ]
    }

    private static func texts(_ display: SimulatedDisplay) -> [String] {
        display.tree.map { ShownView($0).texts } ?? []
    }
}

extension MockFeedSource: CustomStringConvertible {
    /// What a person reads.
    var description: String {
        switch self {
        case .pattern: "test pattern"
        case .path(let path), .camera(let path): path
        }
    }
}
