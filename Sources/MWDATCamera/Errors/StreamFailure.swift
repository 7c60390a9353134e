import MWDATCore

/// A stream's error with its reason; an addition to the vendor's interface.
public struct StreamFailure: Sendable, Hashable {
    /// What the stream's `errorPublisher` tells.
    public let error: StreamError
    /// Which check failed, and what a person can do about it.
    public let reason: Refusal

    /// An error with its reason.
    public init(_ error: StreamError, because reason: Refusal) {
        self.error = error
        self.reason = reason
    }
}

extension StreamError {
    /// The error for a stream that was refused, or ended, because of `reason`.
    init(_ reason: Refusal, device: DeviceIdentifier) {
        switch reason.check {
        case .link, .power: self = .deviceNotConnected(device)
        case .notFound: self = .deviceNotFound(device)
        case .permission: self = .permissionDenied
        case .hinges, .worn: self = .hingesClosed
        case .thermal: self = .thermalHot
        case .peakPower: self = .peakPowerLimit
        case .battery: self = .batteryLow
        case .timeout: self = .timeout
        case .media, .resources, .transport: self = .videoStreamingError
        case .compatibility, .trust, .configuration, .companion, .network, .occupied, .glassesApp, .sdkVersion,
            .endedByDevice:
            self = .internalError
        }
    }
}
