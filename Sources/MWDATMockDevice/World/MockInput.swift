import MWDATCore

/// Names one link that was opened to the simulated world.
typealias MockClient = UInt64

/// A session as the world knows it: links choose their numbers on their own.
struct MockSessionKey: Hashable, Sendable {
    var client: MockClient
    var session: LinkSession
}

/// One run of a session's stream.
struct MockStreamKey: Hashable, Sendable {
    var session: MockSessionKey
    var stream: LinkStream
}

/// A photo that was asked for.
struct MockPhotoKey: Hashable, Sendable {
    var session: MockSessionKey
    var request: LinkRequest
}

/// What happened to the simulated world.
enum MockInput: Sendable, Equatable {
    case opened(MockClient)
    case closed(MockClient)
    case commanded(MockClient, LinkCommand)
    case operated(MockOperation)
    /// A feed has made a picture.
    case pictured(MockStreamKey, LinkFrame)
    case feedFailed(MockStreamKey, Refusal)
    case photoEnded(MockPhotoKey, MockPhotoResult)
    /// The moment of ``MockWorld/nextDue`` is there.
    case timePassed
}

/// What a person, a test or a script does to the world.
enum MockOperation: Sendable, Equatable {
    case enabled(isRegistered: Bool, hasPermissions: Bool)
    case disabled
    case paired(DeviceIdentifier, MWDATCore.DeviceType, name: String)
    case unpaired(DeviceIdentifier)
    case device(DeviceIdentifier, MockDeviceOperation)
    case permissionSet(Permission, PermissionStatus)
    case requestResultSet(Permission, PermissionStatus)
    case faultsSet(MockFaults)
    case behaviorSet(MockBehavior)
    case trustLost
}

/// What is done to one pair of glasses.
enum MockDeviceOperation: Sendable, Equatable {
    case powerOn
    case powerOff
    case don
    case doff
    case fold
    case unfold
    case tap
    case tapAndHold
    case battery(Int)
    case charging(ChargingState)
    case thermal(ThermalLevel)
    case compatibility(Compatibility)
    case feed(MockFeedSource)
    case capturedImage(String?)
    /// The wearer chose the element of the shown view.
    case click(String)
    /// The video on the display came to its end.
    case videoEnded
    case incident(MockIncident)
}

/// How a photo ended.
enum MockPhotoResult: Sendable, Equatable {
    case success(LinkPhoto)
    case failure(Refusal)
}
