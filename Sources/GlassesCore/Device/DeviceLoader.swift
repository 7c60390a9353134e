import Foundation
import GlassesDomain
import GlassesPluginHost
import MWDATCore

/// Loads the transport that was selected, with the device beside it that gives it sound.
struct DeviceLoader: Sendable {
    /// Names the socket of another process's mock device kit.
    static let mockLinkVariable = "EXTENTOS_MOCK_LINK"

    let host: PluginHost
    let selection: TransportSelection
    /// What a vendor's companion is told of the app.
    let appId: String

    /// The socket of the mock device kit that is enabled here, or that the environment names; nil for none.
    static var mockLink: String? {
        MockLinkAddress.current ?? ProcessInfo.processInfo.environment[mockLinkVariable]
    }

    /// The transport, not yet connected.
    func load() async -> ExtentosResult<any GlassesTransport, ConnectError> {
        let loaded = await host.transport(id: selection.pluginID, settings: .object(settings))
        guard case .success(let glasses) = loaded, let sound = selection.sound else { return loaded }
        switch await host.transport(id: sound.pluginID, settings: .object(sound.settings)) {
        case .success(let sound): return .success(CompositeTransport(glasses: glasses, sound: sound))
        case .failure(let error):
            await glasses.shutdown()
            return .failure(error)
        }
    }

    /// The kit that is enabled now, which may be another one than when the glasses were made.
    private var settings: [String: JSONValue] {
        guard selection.pluginID == TransportSelection.PluginID.metaDAT else { return selection.settings }
        var settings = selection.settings
        settings["appId"] = settings["appId"] ?? .string(appId)
        settings["mockLink"] = settings["mockLink"] ?? Self.mockLink.map(JSONValue.string)
        return settings
    }
}
