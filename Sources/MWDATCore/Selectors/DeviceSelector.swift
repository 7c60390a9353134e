/// Chooses the glasses of a session.
public protocol DeviceSelector: Sendable {
    /// The glasses that it chooses now; nil when none can be used.
    var activeDevice: DeviceIdentifier? { get }
    /// The choice now, and each one after it; nil when none can be used.
    func activeDeviceStream() -> AnyAsyncSequence<DeviceIdentifier?>
}

/// Says which glasses an automatic choice may take. It is called often, on any thread, and has to answer at once.
public typealias DeviceFilter = @Sendable (Device) -> Bool
