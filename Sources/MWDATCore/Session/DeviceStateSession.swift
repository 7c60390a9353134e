import Synchronization

/// Follows the state of the glasses that a selector chooses, as the first versions did.
///
/// It needs no ``DeviceSession``: it is `running` while the selector has glasses, and waits while it has none.
@available(*, deprecated, message: "Use Device.addDeviceStateListener")
public final class DeviceStateSession: Sendable {
    private struct Record {
        var state = SessionState.stopped
        var reader: Task<Void, Never>?
    }

    private let selector: any DeviceSelector
    private let record = Mutex(Record())

    /// A stopped session of the glasses that `deviceSelector` chooses.
    public init(deviceSelector: any DeviceSelector) { selector = deviceSelector }

    deinit { record.withLock { $0.reader }?.cancel() }

    /// The state now: `stopped`, `waitingForDevice` or `running`.
    public var state: SessionState { record.withLock { $0.state } }

    /// Begins; does nothing when it has begun.
    public func start() async throws {
        let stream = selector.activeDeviceStream()
        let first = selector.activeDevice
        record.withLock { record in
            guard record.reader == nil else { return }
            record.state = first == nil ? .waitingForDevice : .running
            record.reader = Task { [weak self] in
                for await device in stream { self?.follow(device) }
            }
        }
    }

    /// Ends; does nothing when it has not begun.
    public func stop() async throws {
        let reader = record.withLock { record in
            defer { record = Record() }
            return record.reader
        }
        reader?.cancel()
    }

    private func follow(_ device: DeviceIdentifier?) {
        record.withLock { record in
            if record.reader != nil { record.state = device == nil ? .waitingForDevice : .running }
        }
    }
}
