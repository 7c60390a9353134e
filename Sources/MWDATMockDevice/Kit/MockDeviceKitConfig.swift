import Foundation
import MWDATCore

/// How an enabled kit begins.
public struct MockDeviceKitConfig: Sendable, Hashable {
    /// Whether the app is registered; otherwise the state is `unavailable`, and `startRegistration()` completes without a companion.
    public let initiallyRegistered: Bool
    /// Whether everything is allowed; otherwise nothing is.
    public let initialPermissionsGranted: Bool

    /// A beginning; registered and with all permissions by default.
    public init(initiallyRegistered: Bool = true, initialPermissionsGranted: Bool = true) {
        self.initiallyRegistered = initiallyRegistered
        self.initialPermissionsGranted = initialPermissionsGranted
    }
}

/// Why the kit refused something.
public enum MockDeviceKitError: DatError, Hashable, CaseIterable {
    /// Something else.
    case unknown
    /// The kit is not enabled.
    case notEnabled
    /// The test server cannot be started, or its port file not written.
    case testServerUnavailable

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .unknown: "The mock device kit failed. Disable and enable it again."
        case .notEnabled: "The mock device kit is not enabled. Call MockDeviceKit.shared.enable()."
        case .testServerUnavailable:
            "The test server cannot be started. Choose another port, and a port file in a folder of yours."
        }
    }
}

/// A model of simulated glasses.
public enum GlassesModel: String, CaseIterable, Sendable {
    case rayBanMeta
    case oakleyMetaHSTN
    case oakleyMetaVanguard
    case rayBanMetaOptics
    case metaGlasses
    case metaRayBanDisplay
}

/// Which camera of a phone stands in for the glasses'; here, which Video4Linux camera of this machine.
public enum CameraFacing: String, CaseIterable, Sendable {
    /// The second camera, or the only one.
    case front
    /// The first camera.
    case back
}
