/// The connection to the device. Calls are carried out one after another, in the order in which they were made.
public protocol ConnectionClient: AnyObject, Sendable {
    /// Where the connection stands; begins as `.notRegistered`.
    var state: any ObservableState<GlassesState> { get }
    /// What a person types into the device, or its companion, to let this app in; nil while none is wanted. It comes during a connect,
    /// also one that ends with `registrationRequired`, and goes once the device is connected. No log holds it. An addition of this
    /// runtime.
    var pairingCode: any ObservableState<PairingCode?> { get }
    /// Connects within 10 s; nil means the default device. Connecting to the device that is already connected succeeds at once.
    ///
    /// Where the vendor has apps registered, an app that is not yet is registered first, which a person confirms within 90 s; until then
    /// the state is `.notRegistered`. An app that declares the camera also has the wearer asked for it, once, 30 s at most.
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
