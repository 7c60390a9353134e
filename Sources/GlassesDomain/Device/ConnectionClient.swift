/// The connection to the device. Calls are carried out one after another, in the order in which they were made.
public protocol ConnectionClient: AnyObject, Sendable {
    /// Where the connection stands; begins as `.notRegistered`.
    var state: any ObservableState<GlassesState> { get }
    /// Connects within 10 s; nil means the default device. Connecting to the device that is already connected succeeds at once.
    func connect(deviceId: DeviceId?) async -> ExtentosResult<Void, ConnectError>
    /// Disconnects within 2 s; the state becomes `.disconnected(.userRequested)`.
    func disconnect() async
    /// Disconnects, then connects.
    func reconnect(deviceId: DeviceId?) async -> ExtentosResult<Void, ConnectError>
}

extension ConnectionClient {
    /// Connects to the default device.
    public func connect() async -> ExtentosResult<Void, ConnectError> { await connect(deviceId: nil) }
}
