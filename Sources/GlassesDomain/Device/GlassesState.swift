/// Where the connection to the device stands.
public enum GlassesState: Sendable, Hashable {
    case notRegistered
    case registered
    case deviceDiscovered(deviceId: DeviceId)
    case connecting(deviceId: DeviceId)
    case active(state: ActiveState)
    case disconnected(cause: DisconnectCause)

    /// The active state, or nil when the device is not connected.
    public var active: ActiveState? { if case .active(let state) = self { state } else { nil } }
}

/// What a connected device is doing.
public enum ActiveState: Sendable, Hashable {
    /// Connected; `camera` is the camera's health, `ready` also where it was never used.
    case connected(device: DeviceInfo, camera: CameraStatus)
    /// A vendor session is open. Reserved: no transport reports it.
    case sessionActive(device: DeviceInfo, session: SessionPhase)
    /// A camera stream is running. Reserved: no transport reports it.
    case streamActive(device: DeviceInfo, stream: StreamConfig)

    /// The connected device.
    public var device: DeviceInfo {
        switch self {
        case .connected(let device, _), .sessionActive(let device, _), .streamActive(let device, _): device
        }
    }
}

/// Whether a capture would work; not what the camera is doing.
public enum CameraStatus: Sendable, Hashable {
    case ready
    case starting
    case broken
}

/// The phase of a vendor's device session.
public enum SessionPhase: Sendable, Hashable {
    case starting
    case running
    case paused
    case stopping
}

/// The configuration of a camera stream.
public struct StreamConfig: Sendable, Hashable {
    /// The size class.
    public var resolution: Resolution
    /// Frames per second.
    public var fps: Int32
    /// How frames are encoded.
    public var codec: Codec

    /// A configuration.
    public init(resolution: Resolution, fps: Int32, codec: Codec) {
        self.resolution = resolution
        self.fps = fps
        self.codec = codec
    }
}

/// A size class of pictures.
public enum Resolution: Sendable, Hashable, CaseIterable {
    case low
    case medium
    case high
}

/// How frames are encoded: one decodable JPEG each, or packed I420.
public enum Codec: Sendable, Hashable, CaseIterable {
    case hvc1
    case h264
    case raw
}

/// Why the device is not connected.
public enum DisconnectCause: Sendable, Hashable {
    case userRequested
    case deviceDroppedConnection
    case thermalCritical
    case hingesClosed
    case simulatorSessionExpired(reason: SessionExpireReason, detail: String?)
    case simulatorBrowserClosed(reason: String)
    case simulatorMeterExhausted(eventsLimit: Int32, upgradeUrl: String)
    case transportFailure(cause: TransportError)
}

/// Why a simulator session expired.
public enum SessionExpireReason: Sendable, Hashable {
    case idleTimeout
    case lifetimeCap
    case userEnded
    case backendRestart
    case unknown
}
