import Foundation

/// A pair of glasses, or whatever stands in for them, with its sub-clients.
public protocol ExtentosGlasses: AnyObject, Sendable {
    /// The connection to the device.
    var connection: any ConnectionClient { get }
    /// The camera.
    var camera: any CameraClient { get }
    /// The microphone and the loudspeaker.
    var audio: any AudioClient { get }
    /// Runtime events.
    var runtime: any RuntimeClient { get }
    /// The user's settings.
    var toggles: any ToggleClient { get }
    /// The voice assistant.
    var assistant: any AssistantClient { get }
    /// What the configuration declared.
    var usedCapabilities: [DeclaredCapability] { get }
    /// What the device has; all false until a transport was loaded.
    var capabilities: DeviceCapabilitySet { get }
    /// Connects to the default device.
    @discardableResult
    func connect() async -> ExtentosResult<Void, ConnectError>
    /// Ends everything within 5 s: the session, running handlers, the transport, and all event streams.
    func shutdown() async
    /// Answers a URL that the host app received; false when it was not for this transport.
    func handleUrl(_ url: URL) async -> Bool
}

extension ExtentosGlasses {
    /// Connects to the default device.
    @discardableResult
    public func connect() async -> ExtentosResult<Void, ConnectError> { await connection.connect() }
}
